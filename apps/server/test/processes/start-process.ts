import { openDataDir, readSettings, startServer, StartError } from '../../src/index.ts'

// The control plane alone, for tests that end its start at any moment. Prints lines of JSON: the password of the first
// administrator, the URL once it serves, or why it does not start. It ends at SIGTERM.

const say = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`)
try {
  const settings = readSettings(process.env)
  const server = await startServer({
    settings,
    dataDir: openDataDir(settings.dataDir),
    gateway: undefined,
    version: '0.0.0',
    dashboardFolder: '/nonexistent',
    showFirstAdministrator: ({ generatedPassword }) => {
      say({ password: generatedPassword })
      if (process.env.TEST_KILL_AT === 'password') process.kill(process.pid, 'SIGKILL')
    },
  })
  process.on('SIGTERM', () => void server.stop().then(() => process.exit()))
  say({ url: server.url.replace('localhost', '127.0.0.1') })
} catch (error) {
  if (!(error instanceof StartError)) throw error
  say({ refusal: error.message })
  process.exit(1)
}
