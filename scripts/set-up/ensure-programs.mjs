// The foreign programs that tests need. `npm test` installs missing ones only as root or under CI,
// and never through sudo; `npm run setup` installs them for any account, and prints the command first.
// Without a program its suites are skipped, which is an error under CI.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { writeStamp } from './fingerprint.mjs'
import { findProgram, foundPrograms, programs } from './programs.mjs'
import { inRoot, stampFolder } from '../lib/places.mjs'
import { runQuietly } from '../lib/processes.mjs'
import { step } from '../lib/steps.mjs'

/**
 * Puts what was found into the environment of the tests. Returns the number of suites that can't run
 * here.
 *
 * @returns {Promise<number>}
 */
export async function ensurePrograms() {
  for (const program of programs) {
    await step(program.name.toLowerCase(), async (say) => {
      if (mayInstall()) await installMissing(program)
      say(findProgram(program) ?? 'missing')
    })
  }
  return reportMissing()
}

/** `npm run setup`: installs what is missing, after it has shown the command. */
export async function setUpPrograms() {
  const packages = missingPrograms()
    .filter(isInstallable)
    .flatMap(({ aptPackages }) => aptPackages)
  if (packages.length === 0 || !(await hasApt())) return reportMissing() === 0 ? 0 : 1
  const command = [...(isRoot() ? [] : ['sudo']), 'sh', script, ...packages]
  console.log(
    `Installing the programs that tests need, with no service started:\n  ${command.join(' ')}`,
  )
  const [first = '', ...args] = command
  // In the foreground with our terminal: sudo asks for the password there.
  const { status } = spawnSync(first, args, { stdio: 'inherit' })
  return reportMissing() === 0 ? (status ?? 1) : status || 1
}

const script = inRoot('scripts', 'set-up', 'install-programs.sh')
const isRoot = () => process.getuid?.() === 0
const mayInstall = () => isRoot() || Boolean(process.env['CI'])
const missingPrograms = () => programs.filter((program) => !findProgram(program))

function reportMissing() {
  Object.assign(process.env, foundPrograms())
  const missing = missingPrograms()
  const word = process.env['CI'] ? 'ERROR' : 'SKIPPED'
  for (const { name, suites, variables } of missing) {
    const ways = `run npm run setup, or name it in ${variables.join(' or ')}`
    console.log(`${word}: ${suites.join(', ')}: ${name} was not found; ${ways}.`)
  }
  return missing.flatMap(({ suites }) => suites).length
}

/** A program that a variable names is not replaced by another. @param {import('./programs.mjs').Program} program */
const isInstallable = ({ variables }) =>
  process.platform === 'linux' && !variables.some((variable) => process.env[variable])

const hasApt = async () =>
  (await runQuietly({ command: 'apt-get', args: ['--version'] })).code === 0

/**
 * The best of a program, also where the second best is here: that is tried once in each checkout, since an old
 * distribution has no such package, or the machine no network.
 *
 * @param {import('./programs.mjs').Program} program
 */
async function installMissing(program) {
  const { best, aptPackages } = program
  const found = findProgram(program)
  const isBest = path.basename(found ?? '') === best?.command
  if (best && !isBest && isInstallable(program) && isFirstTry(best.aptPackage))
    await install(program, [best.aptPackage])
  if (!findProgram(program)) await install(program, aptPackages)
}

/** @param {string} aptPackage */
function isFirstTry(aptPackage) {
  const stamp = path.join(stampFolder, `${aptPackage}-tried`)
  if (existsSync(stamp)) return false
  writeStamp(stamp, '')
  return true
}

/** @param {import('./programs.mjs').Program} program @param {string[]} aptPackages */
async function install(program, aptPackages) {
  if (!isInstallable(program) || !(await hasApt())) return
  const { code, output } = await runQuietly({ command: 'sh', args: [script, ...aptPackages] })
  if (code !== 0)
    console.error(
      `\n${output.trimEnd()}\nInstalling ${aptPackages.join(', ')} failed with exit code ${code}.`,
    )
}
