/** The variables of the Worker that say how users sign in (docs/sign-in.md), as far as the environment has them. */
export const signInBindings = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value && isOurs.test(name) ? [[name, value] as const] : [])),
  )

const isOurs = /^(OIDC_\w+|TWO_FACTOR_KEY|PASSWORD_ONLY_FOR|PUBLIC_URL)$/
