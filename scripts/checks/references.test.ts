import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { inRoot, root } from '../lib/places.mjs'

// What the code and the docs cite is in the repository: `spec: anchor` is an anchor of a page in
// docs/spec, `decision 0007` a page of docs/decisions, a link of a page a file that exists.

const notOurs = /(?:^|\/)(?:node_modules|dist|data|coverage|fixtures)\//
const files = globSync(
  ['*.md', '{apps,bench,docs,e2e,packages,proof,scripts}/**/*.{ts,tsx,mjs,css,sh,md}'],
  { cwd: root, exclude: (file) => notOurs.test(`${file}/`) },
).map((file) => file.replaceAll(path.sep, '/'))
const read = (file: string) => readFileSync(inRoot(file), 'utf8')

const pages = files.filter((file) => file.endsWith('.md'))
const sources = files.filter(
  (file) => /\.(ts|tsx|mjs|css|sh)$/.test(file) && !file.endsWith('references.test.ts'),
)

const anchorsOf = (page: string) =>
  [...read(page).matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!)
const specAnchors = pages.filter((page) => page.startsWith('docs/spec/')).flatMap(anchorsOf)
const decisions = new Set(readdirSync(inRoot('docs/decisions')).map((file) => file.slice(0, 4)))

/** `spec: a, b` cites two anchors; the list ends at the first word that is followed by another. */
const citations = (text: string) =>
  [...text.matchAll(/\bspec: ([a-z][a-z-]*(?:, [a-z][a-z-]*(?=[,.):;]))*)/g)].flatMap(([, list]) =>
    list!.split(', '),
  )

/** A heading's anchor as GitHub makes it. */
const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const linkTargets = (page: string) =>
  [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))

function isThere(page: string, target: string): boolean {
  const [file = '', anchor] = target.split('#')
  const aim = file === '' ? page : path.posix.join(path.posix.dirname(page), file)
  if (!existsSync(inRoot(aim))) return false
  if (anchor === undefined) return true
  const headings = [...read(aim).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => slug(heading!))
  return headings.includes(anchor) || anchorsOf(aim).includes(anchor)
}

describe('references', () => {
  test('anchors of the specification are unique', () => {
    expect(specAnchors.filter((id, index) => specAnchors.indexOf(id) !== index)).toEqual([])
  })

  test('every `spec: anchor` is an anchor of the specification', () => {
    const broken = [...sources, ...pages]
      .filter((file) => file !== 'docs/contributing.md' && file !== 'docs/spec/README.md')
      .flatMap((file) => citations(read(file)).map((id) => ({ file, id })))
      .filter(({ id }) => !specAnchors.includes(id))
    expect(broken).toEqual([])
  })

  test('every `decision NNNN` is a page', () => {
    const broken = [...sources, ...pages].flatMap((file) =>
      [...read(file).matchAll(/\bdecision (\d{4})\b/g)]
        .map(([, number]) => number!)
        .filter((number) => !decisions.has(number))
        .map((number) => `${file}: decision ${number}`),
    )
    expect(broken).toEqual([])
  })

  test('sources cite no paper that is not here', () => {
    const foreign =
      /\b[Ss]pec §|\((?:decisions|spec'd)\)|\b(?:RUNS|DECISIONS|PROCEDURES|SECURITY|STYLE|STACK|DESIGN)\.md\b/
    expect(sources.filter((file) => foreign.test(read(file)))).toEqual([])
  })

  test('every page that a source names exists', () => {
    const broken = sources.flatMap((file) =>
      [...read(file).matchAll(/\bdocs\/[\w/-]+\.md\b/g)]
        .map(([page]) => page)
        .filter((page) => !existsSync(inRoot(page)))
        .map((page) => `${file}: ${page}`),
    )
    expect(broken).toEqual([])
  })

  test('every link of a page leads somewhere', () => {
    const broken = pages.flatMap((page) =>
      linkTargets(page)
        .filter((target) => !isThere(page, target))
        .map((target) => `${page}: ${target}`),
    )
    expect(broken).toEqual([])
  })
})
