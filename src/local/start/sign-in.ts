/** The Worker's variables for sign-in (docs/sign-in.md) that the environment sets. */
export const signInBindings = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value && isOurs.test(name) ? [[name, value] as const] : [])),
  )

const isOurs = /^(OIDC_\w+|TWO_FACTOR_KEY|PASSWORD_ONLY_FOR|PUBLIC_URL)$/
