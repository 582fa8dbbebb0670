// The image of a release, by the first program that can make one here.

import { git } from '../lib/git.mjs'
import { mustRun, runQuietly } from '../lib/processes.mjs'

/** Returns its name, or why there is none. @param {string} version */
export async function buildImage(version) {
  const command = await firstThatAnswers(['docker', 'podman'])
  if (!command) return 'skipped: neither docker nor podman answers here'
  const name = `gatehouse:${version}`
  const commit = `GATEHOUSE_COMMIT=${git('rev-parse', '--short=12', 'HEAD')}`
  // Podman's own format knows no HEALTHCHECK.
  const format = command === 'podman' ? ['--format', 'docker'] : []
  await mustRun('The build of the image', {
    command,
    args: ['build', ...format, '-f', 'deploy/Dockerfile', '-t', name, '--build-arg', commit, '.'],
  })
  return `${name} by ${command}`
}

/** `info` asks what makes the images: a client alone answers no. @param {string[]} commands */
async function firstThatAnswers(commands) {
  for (const command of commands) {
    const { code } = await runQuietly({ command, args: ['info'] })
    if (code === 0) return command
  }
  return undefined
}
