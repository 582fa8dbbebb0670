import { execFileSync } from 'node:child_process'
import { root } from './places.mjs'

/**
 * What git prints in this repository, trimmed. Throws where git says no, or is not there.
 *
 * @param {string[]} args
 */
export const git = (...args) =>
  execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
