// Which version a build is: that of package.json, and the commit it was made from.

import { git } from '../lib/git.mjs'
import { readJson } from '../lib/json-file.mjs'
import { inRoot } from '../lib/places.mjs'

/** That of package.json. @returns {string} */
export const releaseVersion = () => readJson(inRoot('package.json')).version

/**
 * `0.1.0+4f2a91c0de11`, with `.changed` where files differ from the commit. Without git (in an image),
 * `GATEHOUSE_COMMIT` names the commit; without either the version stands alone.
 */
export function buildVersion() {
  const version = releaseVersion()
  const commit = process.env['GATEHOUSE_COMMIT'] || commitOfGit()
  if (commit && !/^[\w.-]{1,60}$/.test(commit))
    throw new Error(`GATEHOUSE_COMMIT=${commit} can't be used: letters, digits, dots and dashes`)
  return commit ? `${version}+${commit.replaceAll('_', '-')}` : version
}

function commitOfGit() {
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD')
    return git('status', '--porcelain', '--untracked-files=no') === ''
      ? commit
      : `${commit}.changed`
  } catch {
    return undefined
  }
}
