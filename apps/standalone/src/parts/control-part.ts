import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { joinDataDir, readSettings } from '@gatehouse/server/environment'
import { PartProcess } from './part-process.ts'
import { runAll, runControl, runGateway } from './run-roles.ts'

// The process of the control plane; of a gateway that runs alone: of what connects it to control planes elsewhere.

// `npm run build` looks for these URLs, and puts in those of the built folder.
const packageFile = new URL('../../../../package.json', import.meta.url)
const dashboard = new URL('../../../dashboard/dist/', import.meta.url)

const part = new PartProcess()

part.run(async ({ port }) => {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
  const given = readSettings(process.env)
  // Where it listened before: with PORT=0, the same again.
  const settings = { ...given, port: port ?? given.port }
  await { all: runAll, control: runControl, gateway: runGateway }[settings.role]({
    part,
    settings,
    dataDir: joinDataDir(settings.dataDir),
    version,
    dashboardFolder: fileURLToPath(dashboard),
    say: (line) => process.stdout.write(`${line}\n`),
    onLost: () => {
      process.stderr.write(
        `Another server with the same instance-id runs: ${settings.dataDir} is a copy of its DATA_DIR, or that server ` +
          'has taken over while this one was frozen. To start this one as a server of its own, delete the file ' +
          'instance-id there.\n',
      )
      part.lost()
    },
  })
})
