import { Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander'
import { explained } from '../told/explained.ts'
import { Misuse } from '../told/misuse.ts'

/** The outputs of a program. */
export interface Output {
  out(line: string): void
  err(line: string): void
}

/** The exit code for an invalid command line. */
const misused = 2

/** Flags in the form that a person types: `--name NAME`. commander writes `--name <NAME>`. */
const typed = ({ flags }: Option): string => flags.replaceAll(/[<>]/g, '')

/**
 * A commander program that does not have any flags or commands yet. It prints through `out` and `err`, and never exits.
 */
export function newProgram(name: string, { out, err }: Output): Command {
  return new Command(name)
    .exitOverride()
    .helpOption('--help', 'prints this')
    .configureHelp({
      showGlobalOptions: true,
      optionTerm: typed,
      subcommandTerm: (command) => [...pathOf(command), ...argumentsOf(command)].join(' '),
      // Suggestions need the commands of every level. Help shows only commands that can be run.
      formatHelp: (command, help) =>
        Help.prototype.formatHelp(command, Object.assign(help, { visibleCommands: leavesOf })),
      styleTitle: (title) => title.replace('Options', 'Flags').replace('Global Flags', 'Flags of all commands'),
    })
    .configureOutput({
      writeOut: (text) => out(text.trimEnd()),
      writeErr: (text) => err(text.trimEnd()),
      outputError: (text, write) => write(sentence(text)),
    })
}

/** Rewrites errors such as `error: unknown option '--nmae'\n(Did you mean --name?)` as sentences. */
function sentence(error: string): string {
  const text = error
    .replace(/^error: /, '')
    .replace(/'(--[\w-]+) <([\w-]+)>'/, '$1 $2')
    .replace('argument missing', 'has no value')
    .trimEnd()
  const [first = '', suggestion] = text.split('\n(')
  const ended = /[.?!]$/.test(first) ? first : `${first}.`
  return `${ended.charAt(0).toUpperCase()}${ended.slice(1)}${suggestion ? ` ${suggestion.replace(/\)$/, '')}` : ''}`
}

/** All commands below this one that can be run. */
const leavesOf = (command: Command): Command[] =>
  command.commands.flatMap((one) => (one.commands.length === 0 ? [one] : leavesOf(one)))

/** The words of a command, without the program's name. */
export const pathOf = (command: Command): string[] =>
  command.parent === null ? [] : [...pathOf(command.parent), command.name()]

const argumentsOf = (command: Command): string[] =>
  command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? ' …' : ''}`
    return argument.required ? name : `[${name}]`
  })

const requiredOptions = new WeakSet<Option>()

/** A required flag. Commander's own required flags would hide the message about a mistyped flag. */
export function required<Value>(
  flags: string,
  description: string,
  parse: (value: string, before: Value) => Value,
): Option {
  const option = new Option(flags, description).argParser(parse)
  requiredOptions.add(option)
  return option
}

/** Exits with an error if a required flag is missing. */
export function refuseMissing(command: Command): void {
  const missing = command.options.find(
    (option) => requiredOptions.has(option) && command.getOptionValue(option.attributeName()) === undefined,
  )
  if (missing) command.error(`error: ${typed(missing)} is missing`)
}

/** Gives every command a usage line, built from its arguments and flags. The usage line follows every error message. */
export function withUsage(program: Command): Command {
  for (const group of [program, ...program.commands].filter(({ commands }) => commands.length > 0)) {
    group.usage('COMMAND [flags]')
    group.showHelpAfterError(`See: ${[program.name(), ...pathOf(group)].join(' ')} --help`)
  }
  for (const command of program.commands.length === 0 ? [program] : leavesOf(program)) {
    const flags = command.options.map((option) => {
      const flag = `${typed(option)}${option.parseArg === severalValues ? ' …' : ''}`
      return requiredOptions.has(option) ? flag : `[${flag}]`
    })
    const usage = [...argumentsOf(command), ...flags].join(' ')
    command.usage(usage)
    command.showHelpAfterError(`Usage: ${[program.name(), ...pathOf(command), usage].join(' ').trimEnd()}`)
  }
  return program
}

/** The value of a flag. If another flag follows, the value is missing. */
export function oneValue(value: string): string {
  if (value.startsWith('--')) throw new InvalidArgumentError('It needs a value.')
  if (value === '') throw new InvalidArgumentError('It is empty.')
  return value
}

/** The values of a flag that may be repeated. */
export const severalValues = (value: string, before: readonly string[] = []): string[] => [...before, oneValue(value)]

/** Flags that are also npm settings. They may come from the user's own npm configuration. */
const alsoOfNpm = new Set(['--json', '--yes', '--help'])

/** Refuses flags before `--`, because npm consumes them, and the command would run without them. */
export function refuseTaken(program: Command, words: readonly string[], env: NodeJS.ProcessEnv): void {
  const flags = new Set([program, ...leavesOf(program)].flatMap(({ options }) => options.map(({ long }) => long ?? '')))
  const isGiven = (flag: string) => words.some((word) => word === flag || word.startsWith(`${flag}=`))
  const variable = (flag: string) => `npm_config_${flag.replace(/^--(no-)?/, '').replaceAll('-', '_')}`
  const taken = [...flags].filter((flag) => env[variable(flag)] !== undefined && !isGiven(flag) && !alsoOfNpm.has(flag))
  if (taken.length === 0) return
  throw new Misuse(
    `npm took ${taken.join(' and ')} as its own. Put -- before everything that is for Weir: ${program.name()} … ${taken[0]} …`,
  )
}

/** Runs `work`, prints its error, and returns the exit code. */
export async function exitCodeOf(work: () => Promise<number>, { err }: Output): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused
    err(explained(error))
    return error instanceof Misuse ? misused : 1
  }
}

/**
 * A command that can read a remote D1. FILE contains the answer to the query that `--sql` prints. `words` are the words
 * of the command.
 */
export const ofRemoteD1 = (command: Command, words: string): Command =>
  command
    .argument('[FILE]', "the websites of a remote D1: wrangler's output for the statement of --sql")
    .option(
      '--sql',
      'prints the statement that creates FILE: npx wrangler d1 execute weir --remote --json ' +
        `--command "$(npm run -s weir -- ${words} --sql)" > FILE`,
    )
