import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { StepFailed } from '../lib/steps.mjs'

/**
 * The file of npm that Node can run, so that npm runs under a Node of our choice: npm picks older
 * majors of packages when it runs under an old one.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [node] the Node beside which npm is looked for
 */
export function findNpm(env = process.env, node = process.execPath) {
  const found = candidates(env, node).find(
    (file) => path.basename(file) === 'npm-cli.js' && existsSync(file),
  )
  if (!found)
    throw new StepFailed(
      'npm was not found. It comes with Node: please install both from your usual source.',
    )
  return found
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} node
 */
function candidates(env, node) {
  const folders = [path.dirname(node), ...(env['PATH'] ?? '').split(path.delimiter).filter(Boolean)]
  return [
    // Set by npm for what it runs. Other package managers set it to themselves.
    env['npm_execpath'] ?? '',
    ...folders.flatMap((folder) => [
      realPath(path.join(folder, 'npm')),
      path.join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
      path.join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ]),
  ]
}

/** @param {string} file */
function realPath(file) {
  try {
    return realpathSync(file)
  } catch {
    return ''
  }
}
