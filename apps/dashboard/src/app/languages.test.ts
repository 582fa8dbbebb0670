import { errorTable } from '@gatehouse/contract'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readCatalogue } from '../../bundling/texts/read-catalogue.ts'
import { allTexts } from '../../bundling/texts/translate-texts.ts'
import type { Translation } from '../lib/fill-in.ts'

const { all, server, serverMore, twice } = readCatalogue()
const ofServer = [...server, ...serverMore]
const texts = allTexts()
const root = join(import.meta.dirname, '../../../..')

const placesOf = (text: string) => [...new Set(text.match(/\{\d\}/g))].toSorted()

function formsOf(translation: Translation): string[] {
  if (typeof translation === 'string') return [translation]
  return Object.values(translation).filter((form) => typeof form === 'string')
}

const translated = [...all, ...ofServer].flatMap(([text, translation]) =>
  translation === null ? [] : [[text, translation] as const],
)

it('has an Arabic text for every text of the screens, or says that it stays as it is', () => {
  expect([...texts].filter((text) => !all.has(text))).toEqual([])
})

it('has an Arabic text for every refusal of the server', () => {
  const known = new Map(ofServer)
  const refusals = Object.values(errorTable).map(({ message }) => message)
  expect(refusals.filter((message) => !known.has(message))).toEqual([])
})

it('has no sentence of the server that it does not say', () => {
  const said = ['packages/contract/src', 'apps/server/src']
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root, exclude: ['**/*.test.ts'] }))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  const isSaid = (text: string) => text.split(/\{\d\}/).every((piece) => said.includes(piece))
  expect(ofServer.map(([text]) => text).filter((text) => !isSaid(text))).toEqual([])
})

it('has nothing for a text that no screen has', () => {
  const unused = [...all.keys()].filter((text) => !texts.has(text))
  expect(unused).toEqual([])
})

it('translates each text once', () => {
  expect(twice).toEqual([])
})

it('fills in no value that the text does not have', () => {
  const wrong = translated.filter(([text, translation]) =>
    formsOf(translation).some((form) =>
      placesOf(form).some((place) => !placesOf(text).includes(place)),
    ),
  )
  expect(wrong).toEqual([])
})

it('fills in every value, at least in the form for most numbers', () => {
  const wrong = translated.filter(([text, translation]) => {
    const other = typeof translation === 'string' ? translation : translation.other
    return placesOf(text).some((place) => !placesOf(other).includes(place))
  })
  expect(wrong.map(([text]) => text).filter((text) => !isEnding(text))).toEqual([])
})

/** An English ending that is filled in, as in `run{1}`: Arabic has forms instead. */
const isEnding = (text: string) => /\p{L}\{\d\}/u.test(text)

it('is Arabic, from right to left', () => {
  const latin = translated.filter(([, translation]) =>
    formsOf(translation).some((form) => !/\p{Script=Arabic}/u.test(form)),
  )
  expect(latin).toEqual([])
})
