import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openDataDir, readSettings, SettingError, StartError } from '@gatehouse/server'
import { startGateway } from './link-gateway.ts'
import { startControlPlane } from './start-control-plane.ts'

// `npm run build` looks for these URLs, and puts in those of the built folder.
const packageFile = new URL('../../../package.json', import.meta.url)
const dashboard = new URL('../../dashboard/dist/', import.meta.url)
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }

const readyMaxMs = 10_000

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

// What is written holds password hashes and documents: for this account's eyes alone.
process.umask(0o077)

try {
  const settings = readSettings(process.env)
  const dataDir = openDataDir(settings.dataDir)
  const gateway = await startGateway(settings, dataDir)
  const stopped = new AbortController()
  let stopServer = (): Promise<void> => gateway.stop()

  const stop = (exitCode: number): void => {
    if (stopped.signal.aborted) return
    stopped.abort()
    say('Finishing what is in flight ...')
    stopServer().then(
      () => process.exit(exitCode),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', () => stop(0))
  process.on('SIGINT', () => stop(0))
  // New workers, one after the other, with the certificate as it is now.
  process.on('SIGHUP', () => void gateway.rollingRestart())

  const server = await startControlPlane({
    gateway,
    signal: stopped.signal,
    say,
    options: {
      // Port 0 is any port, and by now it is known which.
      settings: {
        ...settings,
        gatewayPort: gateway.address.port,
        gatewayUrl: settings.gatewayUrl.replace(/:0$/, `:${gateway.address.port}`),
      },
      dataDir,
      gateway,
      version,
      dashboardFolder: fileURLToPath(dashboard),
    },
  })
  if (server) {
    stopServer = () => server.stop()
    void server.lost.then(() => {
      process.stderr.write('Another server has taken over the instance-id of this one.\n')
      stop(1)
    })
    // A configuration that workers refuse is shown in the dashboard, which therefore has to be there.
    const isServing = await Promise.race([
      gateway.ready(),
      sleep(readyMaxMs, false, { ref: false }),
    ])
    say(`Gatehouse ${version} is ready at ${server.url}, its gateway at ${gateway.url}`)
    if (!isServing) say('The gateway does not serve yet: the dashboard and logs/gateway tell why.')
  }
} catch (error) {
  const isExpected = error instanceof SettingError || error instanceof StartError
  process.stderr.write(`${isExpected ? error.message : (error as Error).stack}\n`)
  process.exit(1)
}
