import { errorTable } from '@gatehouse/contract'
import { alarmKindFacts } from '@gatehouse/contract/alarm-kinds'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readCatalogue } from '../../bundling/texts/read-catalogue.ts'
import { allTexts } from '../../bundling/texts/translate-texts.ts'
import type { Translation } from '../lib/format/fill-in.ts'
import { serverText } from '../lib/calls/server-text.ts'

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

/** The files whose sentences stay with a run, and so are on its page. */
const ledgerFiles = [
  'steps/answers/explain-outcome.ts',
  'steps/step-condition.ts',
  'ledger/recover-run.ts',
  'ledger/refusal-of-begin.ts',
  'ledger/may-still-send.ts',
  'actions/allowed-actions.ts',
]

/** Texts of three words or more, with `{0}`, `{1}` for what is filled in. */
function sentencesOf(file: string, folder = 'apps/server/src/features'): string[] {
  const source = readFileSync(join(root, folder, file), 'utf8')
  const code = source
    .replaceAll(/^\s*(\/\*\*|\*|\/\/).*$/gm, '')
    // Faults of the product itself.
    .replaceAll(/new (?:Type)?Error\([^)]*\)/g, '')
  const literals = code.match(/'(?:[^'\\\n]|\\.)*'|`[^`]*`/g) ?? []
  return literals
    .map((literal) => {
      let at = 0
      return literal
        .slice(1, -1)
        .replaceAll(/\$\{[^}]*\}/g, () => `{${at++}}`)
        .replaceAll('\\\\', '\\')
    })
    .filter((text) => text.split(' ').length > 2)
}

/** Sentences that no screen shows, with the reason. */
const notOnScreens: [files: RegExp, why: string][] = [
  [/\.(?:test|nightly)\.ts$|\/admin\/|\/settings\/|\/src\/[^/]+\.ts$/, 'the terminal'],
  [/gateway-node|\/http\/|refuse-odd-heads|kernel\/mount|gateway-errors/, 'programs that call'],
  [
    /\/db\/|threads|open-log-file|read-worker|text-keeper|document-counter|create-deletions|live-run/,
    'the log',
  ],
  [/passkeys|sign-on-users|provider-client|hook-receiver|health-routes/, 'the log'],
  [/archive\/(?:files|write-file|archive-keeper)|gateway-source/, 'the log'],
  [/-mails\.ts$/, 'mails'],
  [/metrics/, 'metrics'],
  [/\/agents\/|publishing\/tools|run-status-tool/, 'agents'],
  [/consumer-docs|features\/docs|openapi|sample-|json-schema/, 'documents of OpenAPI and examples'],
  [/read-configuration|apply-configuration|configuration\/references/, 'reports in English'],
]

/** What only a part of a sentence is made of, or what no person can cause on a screen. */
const parts = new Set([
  'This is no place in the log.',
  'Two braces that are text are written {{{{.',
])

it('has an Arabic text for every sentence of the server that a screen can show', () => {
  globalThis.gatehouseServerTexts = Object.fromEntries(ofServer) as Record<string, string>
  const folders = ['apps/server/src', 'packages/contract/src']
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  const shown = files.filter((file) => !notOnScreens.some(([pattern]) => pattern.test(file)))
  const sentences = shown
    .flatMap((file) => sentencesOf(file, '.'))
    .filter((text) => /^\p{Lu}.*[a-z].*[.?]$/u.test(text) && !parts.has(text))
  expect(sentences.length).toBeGreaterThan(600)
  const isEnglish = (text: string) => !/\p{Script=Arabic}/u.test(serverText(text))
  expect(sentences.filter(isEnglish)).toEqual([])
  globalThis.gatehouseServerTexts = undefined
})

it('has an Arabic text for every sentence that the run ledger keeps', () => {
  globalThis.gatehouseServerTexts = Object.fromEntries(serverMore) as Record<string, string>
  const sentences = ledgerFiles.flatMap((file) => sentencesOf(`runs/${file}`))
  expect(sentences.length).toBeGreaterThan(30)
  const isEnglish = (text: string) => !/\p{Script=Arabic}/u.test(serverText(text))
  expect(sentences.filter(isEnglish)).toEqual([])
  globalThis.gatehouseServerTexts = undefined
})

/** Why a call failed: what runs, Try it and a check of a connection show within their sentences. */
const reasonFiles = [
  'failures.ts',
  'http/http-exchange.ts',
  'http/decode-body.ts',
  'connector.ts',
  'secure-context.ts',
  'address-guard.ts',
]

it('has an Arabic text for every reason of a call that failed', () => {
  globalThis.gatehouseServerTexts = Object.fromEntries(serverMore) as Record<string, string>
  const reasons = reasonFiles.flatMap((file) => sentencesOf(file, 'packages/upstream/src'))
  expect(reasons.length).toBeGreaterThan(15)
  const moment = 'before the head of the answer was complete'
  const said = reasons
    .flatMap((reason) => [reason, reason.replace(', {1}', `, ${moment}`), `${reason}, ${moment}`])
    .map((reason) => `Sent, but the outcome is unknown: ${reason}.`)
  const hasLatinWords = (text: string) => /[a-z]+ [a-z]+ [a-z]+/.test(serverText(text))
  expect(said.filter(hasLatinWords)).toEqual([])
  globalThis.gatehouseServerTexts = undefined
})

it('has an Arabic text for every refusal of Try it', () => {
  globalThis.gatehouseServerTexts = Object.fromEntries(ofServer) as Record<string, string>
  const files = ['try-it/try-it-service.ts', 'try-it/unsaved-api-trials.ts']
  const sentences = files.flatMap((file) => sentencesOf(file)).filter((text) => /^[A-Z]/.test(text))
  expect(sentences.length).toBeGreaterThan(4)
  expect(sentences.filter((text) => !/\p{Script=Arabic}/u.test(serverText(text)))).toEqual([])
  globalThis.gatehouseServerTexts = undefined
})

it('has an Arabic text for the title of every alarm of runs, lanes, schedules and the hold', () => {
  globalThis.gatehouseServerTexts = Object.fromEntries(serverMore) as Record<string, string>
  const files = ['run', 'hold', 'lane', 'unattended'].map((name) => `${name}-findings.ts`)
  const titles = files
    .flatMap((file) => sentencesOf(file, 'apps/server/src/features/alarms/sources'))
    .filter((text) => /^(?:\p{Lu}|\{0\}: )/u.test(text) && !text.includes('${'))
  expect(titles.length).toBeGreaterThan(12)
  expect(titles.filter((text) => !/\p{Script=Arabic}/u.test(serverText(text)))).toEqual([])
  globalThis.gatehouseServerTexts = undefined
})

it('has an Arabic text for what every alarm means, and for what to do', () => {
  globalThis.gatehouseServerTexts = Object.fromEntries(ofServer) as Record<string, string>
  const sentences = Object.values(alarmKindFacts).flatMap(({ title, means, next }) => [
    title,
    means,
    next,
  ])
  expect(sentences.filter((text) => !/\p{Script=Arabic}/u.test(serverText(text)))).toEqual([])
  globalThis.gatehouseServerTexts = undefined
})

it('has no sentence of the server that it does not say', () => {
  const said = ['packages/contract/src', 'packages/upstream/src', 'apps/server/src']
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root, exclude: ['**/*.test.ts'] }))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  // A reason that follows `:` or `,` may be a text of its own.
  const isSaid = (text: string) =>
    text.split(/\{\d\}|(?=[:.,])|(?<=[:,]) /).every((piece) => said.includes(piece))
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
