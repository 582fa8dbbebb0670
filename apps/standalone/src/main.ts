import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openDataDir, readSettings, SettingError, StartError } from '@gatehouse/server'
import { runAll, runControl, runGateway, type Parts } from './run-roles.ts'

// `npm run build` looks for these URLs, and puts in those of the built folder.
const packageFile = new URL('../../../package.json', import.meta.url)
const dashboard = new URL('../../dashboard/dist/', import.meta.url)
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

// The logs hold what matters: a server whose output nobody reads any more goes on, and ends as it should.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

// What is written holds password hashes and documents: for this account's eyes alone.
process.umask(0o077)

const stopped = new AbortController()
let stopParts = async (): Promise<void> => {}

const stop = (exitCode: number): void => {
  if (stopped.signal.aborted) return
  stopped.abort()
  say('Finishing what is in flight ...')
  stopParts().then(
    () => process.exit(exitCode),
    () => process.exit(1),
  )
}

try {
  const settings = readSettings(process.env)
  const parts: Parts = {
    settings,
    dataDir: openDataDir(settings.dataDir),
    version,
    dashboardFolder: fileURLToPath(dashboard),
    say,
    signal: stopped.signal,
    onStop: (work) => {
      stopParts = work
    },
    onLost: () => {
      process.stderr.write(
        `Another server with the same instance-id runs: ${settings.dataDir} is a copy of its DATA_DIR, or that server ` +
          'has taken over while this one was frozen. To start this one as a server of its own, delete the file ' +
          'instance-id there.\n',
      )
      stop(1)
    },
  }
  process.on('SIGTERM', () => stop(0))
  process.on('SIGINT', () => stop(0))
  await { all: runAll, control: runControl, gateway: runGateway }[settings.role](parts)
} catch (error) {
  const isExpected = error instanceof SettingError || error instanceof StartError
  process.stderr.write(`${isExpected ? error.message : (error as Error).stack}\n`)
  process.exit(1)
}
