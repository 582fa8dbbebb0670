// `npm run release -- [version] [--make]`: what a release consists of, in build/release/<version>. Without --make it is
// a dry run: nothing in the repository changes. The steps, in this order:
//
//   checks        refusals, all of them before anything is written
//   version       in every package.json, the lock and deploy/; the date in CHANGELOG.md; one commit    (--make)
//   dashboard, build, archive, notes, bill of materials, checksums, signature
//   image         by docker or podman, where one answers                                              (--make)
//   tag           v<version>, on that commit                                                          (--make)
//
// Nothing is pushed or published. A step that fails takes the commit back. See docs/releasing.md.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { pack } from '../build/pack.mjs'
import { git } from '../lib/git.mjs'
import { inRoot } from '../lib/places.mjs'
import { exitCodeOf, forwardSignals, mustRun } from '../lib/processes.mjs'
import { step, StepFailed } from '../lib/steps.mjs'
import { ensureDashboard } from '../set-up/dashboard-build.mjs'
import { billOfMaterials } from './bill-of-materials.mjs'
import { checkRelease } from './checks.mjs'
import { signChecksums, writeChecksums } from './checksums.mjs'
import { buildImage } from './image.mjs'
import { changeVersion, dateSection } from './versions.mjs'

const node = { path: process.execPath, version: process.version, env: process.env }

/** @param {string} version @param {boolean} isDry */
async function release(version, isDry) {
  const notes = await step('checks', async (say) => {
    const found = checkRelease(version)
    say(`${version} from ${git('rev-parse', '--short=12', 'HEAD')}`)
    return found
  })
  const before = git('rev-parse', 'HEAD')
  try {
    await step('version', async (say) => say(isDry ? 'dry run: no commit' : commitVersion(version)))
    await ensureDashboard(node)
    const folder = await writeFiles(version, notes)
    await step('image', async (say) =>
      say(isDry ? 'dry run: not built' : await buildImage(version)),
    )
    await step('tag', async (say) => say(isDry ? `dry run: no tag v${version}` : tag(version)))
    console.log(`\n${path.relative(inRoot(), folder)} has what the release consists of.`)
    console.log(isDry ? again(version) : `To publish it: git push origin HEAD v${version}`)
  } catch (error) {
    if (!isDry) git('reset', '--hard', before)
    throw error
  }
}

/** @param {string} version @param {string} notes */
async function writeFiles(version, notes) {
  const folder = inRoot('build', 'release', version)
  const product = path.join(folder, 'gatehouse')
  const seconds = Number(git('log', '-1', '--format=%ct'))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await step('build', async (say) => {
    const args = [inRoot('scripts', 'build', 'main.mjs'), '--into', product]
    await mustRun('The build of the product', { node, args })
    const { file, bytes } = pack(product, version, seconds)
    rmSync(product, { recursive: true })
    say(`${path.basename(file)}, ${(bytes / 1e6).toFixed(1)} MB`)
  })
  writeFileSync(path.join(folder, 'release-notes.md'), notes)
  await step('materials', async (say) => {
    const bill = billOfMaterials(version, new Date(seconds * 1000))
    writeFileSync(
      path.join(folder, `gatehouse-${version}.cdx.json`),
      `${JSON.stringify(bill, null, 2)}\n`,
    )
    say(`${bill.components.length} packages, CycloneDX ${bill.specVersion}`)
  })
  await step('checksums', async (say) => say(writeChecksums(folder)))
  await step('signature', async (say) => say(await signChecksums(folder)))
  return folder
}

/** @param {string} version */
function commitVersion(version) {
  const changed = [...changeVersion(version), dateSection(version)]
  git('add', ...changed)
  git('commit', '-q', '-m', `chore(release): ${version}`)
  return `${changed.length} files in ${git('rev-parse', '--short=12', 'HEAD')}`
}

/** @param {string} version */
function tag(version) {
  git('tag', '-a', `v${version}`, '-m', `Gatehouse ${version}`)
  return `v${version}`
}

/** @param {string} version */
const again = (version) =>
  `A dry run: nothing in the repository has changed. In earnest: npm run release -- ${version} --make`

forwardSignals()
try {
  const { values, positionals } = parseArgs({
    options: { make: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
    allowPositionals: true,
  })
  if (positionals.length !== 1 || (values.make && values['dry-run']))
    throw new StepFailed('Usage: npm run release -- <version> [--dry-run | --make]')
  await release(positionals[0] ?? '', !values.make)
} catch (error) {
  process.exitCode = exitCodeOf(error)
}
