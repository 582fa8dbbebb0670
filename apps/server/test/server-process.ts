import { openDataDir, readSettings, startServer } from '../src/index.ts'

// The control plane alone, without workers, for tests that bound or kill its process. Prints its URL.

const settings = readSettings(process.env)
const { url } = await startServer({
  settings,
  dataDir: openDataDir(settings.dataDir),
  gateway: undefined,
  version: '0.0.0',
  dashboardFolder: '/nonexistent',
})
process.stdout.write(`${url}\n`)
