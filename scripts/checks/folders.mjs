// How many files are beside each other: at most 25 in a folder, so that a reader sees a room at a glance. A
// test counts with its source as one, and so do the styles of a component.

import { globSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../lib/places.mjs'

const bound = 25

/** Folders in which each file is one of a kind that only ever grows. */
const sequences = /^apps\/(server\/migrations|dashboard\/languages\/ar)$/

/**
 * Folders that pass the bound, and how many files they have. A folder may only lose files; the number
 * follows it, and at the bound the line goes.
 *
 * @type {Record<string, number>}
 */
export const exceptions = {
  docs: 46,
}

/** The file without its endings: `a.ts`, `a.test.ts` and `a.module.css` are one. @param {string} file */
const nameOf = (file) => path.posix.basename(file).replace(/(?<=.)\..*$/, '')

/**
 * How many files each folder has beside each other.
 *
 * @param {string[]} files with slashes, relative to the repository
 */
export function countFolders(files) {
  return new Map(
    [...Map.groupBy(files, (file) => path.posix.dirname(file))].map(([folder, its]) => [
      folder,
      new Set(its.map(nameOf)).size,
    ]),
  )
}

/**
 * What is wrong, one sentence each.
 *
 * @param {Map<string, number>} counts
 * @param {Record<string, number>} excepted
 */
export function folderProblems(counts, excepted) {
  const full = [...counts].filter(
    ([folder, count]) => count > (excepted[folder] ?? bound) && !sequences.test(folder),
  )
  return [
    ...full.map(
      ([folder, count]) =>
        `${folder} has ${count} files beside each other, over ${excepted[folder] ?? bound}: give it rooms.`,
    ),
    ...Object.entries(excepted)
      .map(([folder, allowed]) => ({ folder, allowed, count: counts.get(folder) ?? 0 }))
      .filter(({ allowed, count }) => count < allowed)
      .map(({ folder, allowed, count }) =>
        count > bound
          ? `${folder} has ${count} files, fewer than the ${allowed} in folders.mjs: lower the number.`
          : `${folder} has ${count} files and needs no exception: remove its line in folders.mjs.`,
      ),
  ]
}

const left = /(^|\/)(node_modules|dist|data|coverage)$/

/** Every file of code and text of the repository. @param {string} folder its top */
export function filesOf(folder) {
  return globSync(
    '{apps,bench,deploy,docs,e2e,packages,proof,scripts,tools}/**/*.{ts,tsx,mjs,sh,css,json,md}',
    {
      cwd: folder,
      exclude: (file) => left.test(file),
    },
  ).map((file) => file.replaceAll(path.sep, '/'))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = folderProblems(countFolders(filesOf(root)), exceptions)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
