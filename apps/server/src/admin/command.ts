import type { ParseArgsOptionsConfig } from 'node:util'
import { readSettings, type Settings } from '../settings/settings.ts'

/** A command that could not be carried out: the message is the one line that the operator reads. */
export class CommandError extends Error {
  override name = 'CommandError'
}

/** A command that was called the wrong way. */
export class UsageError extends CommandError {
  override name = 'UsageError'
}

interface Option {
  /** Absent: a flag. */
  value?: string
  does: string
}

/** One command of `npm run admin`. A new one is a file beside this one and a line in `commands.ts`. */
export interface AdminCommand {
  summary: string
  /** What it takes, in this order; the last one may be left out where it is in brackets. */
  takes?: readonly string[]
  options?: Readonly<Record<string, Option>>
  /** Paragraphs of the help, after the options. */
  help?: readonly string[]
  /** Resolves with the exit code. Throws a CommandError, a SettingError or a StartError for the operator. */
  run(call: CommandCall): Promise<number>
}

export interface CommandCall {
  given: readonly string[]
  options: Readonly<Record<string, string | boolean | undefined>>
  environment: NodeJS.ProcessEnv
  /** What the server would run with. Throws a SettingError. */
  settings: () => Settings
  /** A line of the result. */
  say: (line: string) => void
  /** A line beside the result: progress and warnings. */
  note: (line: string) => void
  /** All that is sent to the command. */
  readInput: () => Promise<string>
  /** Asks the person at the terminal, without showing what is typed. Undefined: there is no terminal. */
  askSecret: ((question: string) => Promise<string>) | undefined
}

/** Where a command reads and writes: the process, or a test. */
export type Surroundings = Pick<
  CommandCall,
  'environment' | 'say' | 'note' | 'readInput' | 'askSecret'
>

export const callOf = (
  surroundings: Surroundings,
  { given, options }: Pick<CommandCall, 'given' | 'options'>,
): CommandCall => ({
  ...surroundings,
  given,
  options,
  settings: () => readSettings(surroundings.environment),
})

/** How `parseArgs` is asked for the options of a command. */
export const parsedOptions = ({ options = {} }: AdminCommand): ParseArgsOptionsConfig => ({
  help: { type: 'boolean', short: 'h' },
  ...Object.fromEntries(
    Object.entries(options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string' } as const,
    ]),
  ),
})
