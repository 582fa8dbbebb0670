import { openDataDir, readSettings, startServer, StartError } from '../../src/index.ts'
import { setMachineAhead } from '../time/set-machine-ahead.ts'

// The control plane alone, without workers, for tests that bound or kill its process. Prints its URL.

setMachineAhead(Number(process.env.TEST_MACHINE_AHEAD_MS ?? 0))
try {
  const settings = readSettings(process.env)
  const { url } = await startServer({
    settings,
    dataDir: openDataDir(settings.dataDir),
    gateway: undefined,
    version: '0.0.0',
    dashboardFolder: '/nonexistent',
    showFirstAdministrator: () => {},
  })
  process.stdout.write(`${url}\n`)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stdout.write(`${error.message}\n`)
  process.exit(1)
}
