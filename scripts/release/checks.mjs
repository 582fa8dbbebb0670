// What a release is refused for, before anything is written.

import { readFileSync } from 'node:fs'
import { releaseVersion } from '../build/version.mjs'
import { git } from '../lib/git.mjs'
import { inRoot } from '../lib/places.mjs'
import { StepFailed } from '../lib/steps.mjs'

/**
 * Returns the text of the version's section in CHANGELOG.md. Throws, with every reason there is.
 *
 * @param {string} version
 */
export function checkRelease(version) {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new StepFailed(`${version} is no version: use three numbers, such as 0.2.0.`)
  const section = sectionOf(readFileSync(inRoot('CHANGELOG.md'), 'utf8'), version)
  const current = releaseVersion()
  const refusals = [
    ...(isOlder(version, current) ? [`package.json has ${current}, which is newer.`] : []),
    ...changedFiles(),
    ...(git('tag', '--list', `v${version}`) ? [`There is a tag v${version} already.`] : []),
    ...sectionRefusals(version, section),
  ]
  if (refusals.length > 0)
    throw new StepFailed([`${version} can't be released:`, ...refusals].join('\n  '))
  return `${section?.notes}\n`
}

/** @param {string} version @param {string} other */
function isOlder(version, other) {
  const [numbers = [], others = []] = [version, other].map((each) => each.split('.').map(Number))
  const at = numbers.findIndex((number, place) => number !== others[place])
  return at >= 0 && (numbers[at] ?? 0) < (others[at] ?? 0)
}

function changedFiles() {
  const files = git('status', '--porcelain').split('\n').filter(Boolean)
  const some = files.slice(0, 3).map((line) => line.trim().replace(/^\S+ /, ''))
  return files.length > 0
    ? [`${files.length} files are not committed: ${some.join(', ')}${files.length > 3 ? ' …' : ''}`]
    : []
}

/** @param {string} version @param {ReturnType<typeof sectionOf>} section */
function sectionRefusals(version, section) {
  const heading = `## ${version} (unreleased)`
  if (!section) return [`CHANGELOG.md has no section "${heading}".`]
  if (section.date !== 'unreleased')
    return [`CHANGELOG.md says that ${version} was released (${section.date}).`]
  return section.notes ? [] : [`The section "${heading}" of CHANGELOG.md is empty.`]
}

/**
 * The section of a version: `## 0.1.0 (unreleased)`, or with its date in place of that word.
 *
 * @param {string} changelog
 * @param {string} version
 */
function sectionOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1)
  const own = sections.find((section) => section.startsWith(`${version} (`))
  if (!own) return undefined
  const [heading = ''] = own.split('\n', 1)
  return { date: heading.slice(version.length + 2, -1), notes: own.slice(heading.length).trim() }
}
