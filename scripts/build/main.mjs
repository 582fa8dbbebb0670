// `npm run build`: everything that a server needs in one folder, and the same as a tarball. The folder
// starts with `node server.mjs`, without npm, a registry or a compiler, and nothing in it is written.
//
//   server.mjs, admin.mjs    what is started: the server, and commands for the operator
//   healthcheck.mjs          for containers: ends with 0 when the server is ready
//   lib/, migrations/        our code with the packages it uses
//   dashboard/               what the browser loads
//   node_modules/            the packages that can't be bundled, with binaries for this platform
//   package.json             version and commit
//   THIRD-PARTY-LICENSES.txt
//
// `node scripts/build/main.mjs --into folder` writes there and makes no tarball. With `--without-commit` the version
// names none: it is what a checkout runs. The dashboard must be built.

import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { inRoot } from '../lib/places.mjs'
import { exitCodeOf } from '../lib/processes.mjs'
import { step, StepFailed } from '../lib/steps.mjs'
import { noticesOf } from './notices.mjs'
import { bundleOwnCode, programNames } from './own-code.mjs'
import { pack } from './pack.mjs'
import { copyPackages } from './packages.mjs'
import { buildVersion, releaseVersion } from './version.mjs'

/** @param {string} folder it is emptied first @param {string} version */
async function build(folder, version) {
  const dashboard = inRoot('apps/dashboard/dist')
  if (!existsSync(path.join(dashboard, 'index.html')))
    throw new StepFailed('The dashboard is not built: use `npm run build`.')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { bundled, imported } = await bundleOwnCode(folder, migrationNames())
  const copied = copyPackages(imported, folder)
  cpSync(dashboard, path.join(folder, 'dashboard'), { recursive: true })
  for (const name of programNames) write(folder, `${name}.mjs`, `import './lib/${name}.mjs'\n`)
  write(folder, 'package.json', `${JSON.stringify(manifest(version), null, 2)}\n`)
  write(folder, 'THIRD-PARTY-LICENSES.txt', noticesOf([...bundled, ...copied]))
  copyFileSync(inRoot('scripts/build/healthcheck.mjs'), path.join(folder, 'healthcheck.mjs'))
  copyFileSync(inRoot('LICENSE'), path.join(folder, 'LICENSE'))
  return openToAll(folder)
}

const migrationNames = () =>
  readdirSync(inRoot('apps/server/migrations'))
    .filter((file) => /^\d{4}-.*\.ts$/.test(file))
    .map((file) => path.parse(file).name)

/** @param {string} version */
const manifest = (version) => ({
  name: 'gatehouse',
  version,
  private: true,
  license: 'MIT',
  type: 'module',
  engines: { node: '>=24' },
  os: [process.platform],
  cpu: [process.arch],
})

/** @param {string} folder @param {string} name @param {string} text */
const write = (folder, name, text) => writeFileSync(path.join(folder, name), text)

/** The account that runs it need not be the one that built it. Returns the size. @param {string} folder */
function openToAll(folder) {
  let bytes = 0
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    chmodSync(file, entry.isDirectory() ? 0o755 : 0o644)
    if (entry.isFile()) bytes += statSync(file).size
  }
  return bytes
}

const { values } = parseArgs({
  options: { into: { type: 'string' }, 'without-commit': { type: 'boolean' } },
})
try {
  const folder = values.into ? path.resolve(values.into) : inRoot('build/gatehouse')
  const version = values['without-commit'] ? releaseVersion() : buildVersion()
  await step('build', async (say) => {
    const bytes = await build(folder, version)
    say(`${version}, ${Math.round(bytes / 1e6)} MB in ${path.relative('', folder)}`)
  })
  if (!values.into) {
    await step('tarball', async (say) => say(path.relative('', pack(folder, version).file)))
  }
} catch (error) {
  process.exitCode = exitCodeOf(error)
}
