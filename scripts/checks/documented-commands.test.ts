import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { shellBlocks, type ShellBlock } from './shell-blocks.ts'

/** Pages whose commands another test runs. */
const runElsewhere: Readonly<Record<string, string>> = {
  'docs/authorities/': 'e2e/runs/authority-pages.curl.ts',
  'docs/machine-calls.md': 'e2e/runs/machine-calls.curl.ts',
  'docs/tutorial.md': 'e2e/demo/tutorial.test.ts',
}

/** Blocks that are not run as they are, by page and first line: why, and what is run instead. */
const notRun: Readonly<Record<string, string>> = {
  'README.md: npm start':
    'installs and builds a whole checkout: scripts/set-up/launcher.test.ts does it with a small one',
  'README.md: npm test': 'is what runs this test',
  'docs/archive.md: name=runs-000001':
    'needs jq, and files that an archive has after days: e2e/operations/archive.test.ts makes and checks some',
  'docs/archive.md: for each in *.manifest.json; do':
    'needs jq, and files that an archive has after days: e2e/operations/archive.test.ts makes and checks some',
  'docs/consumer-docs.md: npx openapi-typescript openapi.json --output gateway.d.ts':
    'would ask a registry: e2e/clients/generated-clients.test.ts runs the same generator',
  'docs/operations/backup-and-restore.md: npm run admin -- restore /var/backups/gatehouse/gatehouse-2026-11-22T20-00-00-000Z.backup':
    'names a file by the time of its backup: apps/server/src/admin/backup/backup.test.ts restores one',
  'docs/operations/backup-and-restore.md: npm run admin -- db-copy ./data postgres://gatehouse@db.example.com/gatehouse':
    'needs a PostgreSQL: apps/server/src/admin/copy/db-copy.test.ts copies to one',
  'docs/operations/install.md: tar -xzf gatehouse-0.1.0+4f2a91c0de11-linux-x64.tar.gz -C /opt':
    'names a tarball by its commit: e2e/operations/built-folder.test.ts starts what is in one',
  'docs/operations/fleet.md: npm run admin -- gateway-account':
    'needs a PostgreSQL: e2e/operations/roles-of-nodes.test.ts makes an account there',
  'docs/releasing.md: npm run release -- 0.1.0':
    'commits and tags: scripts/release/release.test.ts does both in a small repository',
  'docs/releasing.md: ssh-keygen -Y verify -f signers -I releases@example.com -n gatehouse-release -s SHA256SUMS.sig < SHA256SUMS':
    'needs a signed release: scripts/release/release.test.ts makes and checks one',
}

const nameOf = ({ file, text }: ShellBlock) => `${file}: ${text.split('\n')[0]}`
const pageOf = ({ file }: ShellBlock) =>
  Object.keys(runElsewhere).find((page) => file.startsWith(page))

it('every block of shell commands in the documentation is run, or says why it is not', () => {
  const unknown = shellBlocks().filter(
    (block) => !block.isRun && !pageOf(block) && !Object.hasOwn(notRun, nameOf(block)),
  )
  const places = unknown.map(({ file, line }) => `${file}:${line}`)
  expect(places, 'Mark each as ```sh run, or give the reason here').toEqual([])
})

it('a reason is given for blocks that are there and are not run, and names a test that is there', () => {
  const blocks = shellBlocks()
  const unmarked = new Set(blocks.filter(({ isRun }) => !isRun).map(nameOf))
  expect(Object.keys(notRun).filter((name) => !unmarked.has(name))).toEqual([])
  const pages = new Set(blocks.map(pageOf))
  expect(Object.keys(runElsewhere).filter((page) => !pages.has(page))).toEqual([])
  const tests = [
    ...Object.values(runElsewhere),
    ...Object.values(notRun).flatMap((why) => why.match(/[\w/-]+\.(?:test|curl)\.ts/g) ?? []),
  ]
  expect(tests.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([])
})
