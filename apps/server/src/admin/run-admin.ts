import { parseArgs } from 'node:util'
import { StartError } from '../settings/data-dir.ts'
import { SettingError } from '../settings/settings.ts'
import { helpOf, overview } from './admin-help.ts'
import {
  callOf,
  CommandError,
  parsedOptions,
  UsageError,
  type AdminCommand,
  type CommandCall,
  type Surroundings,
} from './command.ts'
import { commands } from './commands.ts'

/** Exit codes: done, failed (one line says why), called the wrong way. */
const [done, failed, misused] = [0, 1, 2]

/** Runs one command of the operator. Resolves with the exit code; every error is one line. */
export async function runAdmin(
  [name = '', ...rest]: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    const isAsked = ['', 'help', '--help', '-h'].includes(name)
    for (const line of overview(commands)) surroundings[isAsked ? 'say' : 'note'](line)
    if (!isAsked) surroundings.note(`There is no command "${name}".`)
    return isAsked && name !== '' ? done : misused
  }
  try {
    const { given, options } = parse(command, rest)
    if (options['help']) {
      for (const line of helpOf(name, command)) surroundings.say(line)
      return done
    }
    refuseCount(command, given)
    return await command.run(callOf(surroundings, { given, options }))
  } catch (error) {
    surroundings.note(lineOf(error))
    if (!(error instanceof UsageError)) return failed
    surroundings.note(`See: npm run admin -- ${name} --help`)
    return misused
  }
}

function parse(command: AdminCommand, args: string[]): Pick<CommandCall, 'given' | 'options'> {
  try {
    const { positionals, values } = parseArgs({
      args,
      options: parsedOptions(command),
      allowPositionals: true,
    })
    return { given: positionals, options: values as CommandCall['options'] }
  } catch (error) {
    throw new UsageError((error as Error).message.split('. To specify')[0], { cause: error })
  }
}

function refuseCount({ takes = [] }: AdminCommand, given: readonly string[]): void {
  const needed = takes.filter((name) => !name.startsWith('['))
  const missing = needed[given.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`)
  const extra = given[takes.length]
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many.`)
}

const expected = [CommandError, SettingError, StartError]

/** The stack of what was not expected is shown where DEBUG is set. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (expected.some((kind) => error instanceof kind)) return error.message
  if (process.env['DEBUG']) return error.stack ?? error.message
  let innermost: Error = error
  while (innermost.cause instanceof Error) innermost = innermost.cause
  return `It failed: ${(innermost.message || innermost.name).replace(/\s+/g, ' ')}`
}
