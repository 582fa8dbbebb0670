// Step 4, for tests: the programs of others. Missing ones are installed where apt-get can be used
// without asking anybody; elsewhere their suites are skipped, which is an error under CI.

import { findProgram, foundPrograms, programs } from './programs.mjs'
import { inRoot } from './places.mjs'
import { runQuietly } from './processes.mjs'
import { step } from './steps.mjs'

/**
 * Puts what was found into the environment of the tests. Answers with the number of suites that
 * can't run here.
 *
 * @returns {Promise<number>}
 */
export async function ensurePrograms() {
  for (const program of programs) {
    await step(program.name.toLowerCase(), async (say) => {
      const found = findProgram(program)
      if (found) return say(found)
      await install(program)
      say(findProgram(program) ?? 'missing')
    })
  }
  Object.assign(process.env, foundPrograms())

  const missing = programs.filter((program) => !findProgram(program))
  for (const { name, suites, variables } of missing) {
    const word = process.env['CI'] ? 'ERROR' : 'SKIPPED'
    console.log(
      `${word}: ${suites.join(', ')}: ${name} was not found; install it, or name it in ${variables.join(' or ')}.`,
    )
  }
  return missing.flatMap(({ suites }) => suites).length
}

/** @param {import('./programs.mjs').Program} program */
async function install({ variables, aptPackages }) {
  // Who names a program wants that one, not another.
  if (process.platform !== 'linux' || variables.some((variable) => process.env[variable])) return
  if (!(await succeeds('apt-get', ['--version']))) return
  const isRoot = process.getuid?.() === 0
  if (!isRoot && !(await succeeds('sudo', ['-n', 'true']))) return
  const script = [inRoot('scripts', 'install-programs.sh'), ...aptPackages]
  const { code, output } = await runQuietly(
    isRoot ? { command: 'sh', args: script } : { command: 'sudo', args: ['-n', 'sh', ...script] },
  )
  if (code !== 0)
    console.error(
      `\n${output.trimEnd()}\nInstalling ${aptPackages.join(', ')} failed with exit code ${code}.`,
    )
}

/** @param {string} command @param {string[]} args */
async function succeeds(command, args) {
  return (await runQuietly({ command, args })).code === 0
}
