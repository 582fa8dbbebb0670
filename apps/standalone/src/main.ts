import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readSettings, SettingError, StartError, startServer } from '@gatehouse/server'

const rootUrl = new URL('../../../', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('package.json', rootUrl), 'utf8')) as {
  version: string
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

// What is written holds password hashes and documents: for this account's eyes alone.
process.umask(0o077)

try {
  const server = await startServer({
    settings: readSettings(process.env),
    version,
    dashboardFolder: fileURLToPath(new URL('apps/dashboard/dist', rootUrl)),
  })
  const { firstAdministrator } = server
  if (firstAdministrator) {
    say('')
    say(`First administrator: ${firstAdministrator.email}`)
    say(
      firstAdministrator.generatedPassword
        ? `Password:            ${firstAdministrator.generatedPassword}   (shown this once)`
        : 'Password:            as ADMIN_PASSWORD says',
    )
    say('')
  }
  say(`Gatehouse ${version} is ready at ${server.url}`)

  let isStopping = false
  const stop = (): void => {
    if (isStopping) return
    isStopping = true
    say('Finishing what is in flight ...')
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
} catch (error) {
  const isExpected = error instanceof SettingError || error instanceof StartError
  process.stderr.write(`${isExpected ? error.message : (error as Error).stack}\n`)
  process.exit(1)
}
