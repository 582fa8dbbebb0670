// Databases: SQLite.

import type { RunSettings } from '@gatehouse/contract'
import { runProfiles } from '@gatehouse/contract/run-profiles'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startUpstream } from '../../../../test/servers/hostile-upstream.ts'
import {
  cut,
  json,
  runOf,
  startRunServer,
  type Answerer,
  type RunServer,
} from '../../../../test/servers/run-server.ts'

// The authority stores the document and its answer is lost. Whatever it says to the same bytes
// after that is said of the repetition: only a success or a duplicate answer settles the step.

let app: RunServer
beforeAll(async () => {
  app = await startRunServer()
})
afterAll(() => app.close())

const errors = { validationResults: { status: 'ERROR', errorMessages: [] } }
/** A refusal in the words of each profile, where its authority refuses with a 200. */
const refusedBody = {
  ...errors,
  clearanceStatus: 'NOT_CLEARED',
  reportingStatus: 'NOT_REPORTED',
  EINV_STATUS: 'NOT_SUBMITTED',
}
const refusals: [string, Answerer][] = [
  ['400', json(400, refusedBody)],
  ['a 200 that is a refusal', json(200, refusedBody)],
  ['a 303 that is a refusal', json(303, refusedBody)],
  ['307', json(307, {}, { location: '/elsewhere' })],
  ['401', json(401, {})],
  ['403', json(403, {})],
  ['404', json(404, {})],
  ['409', json(409, refusedBody)],
  ['422', json(422, {})],
  ['429', json(429, {})],
  ['503', json(503, {})],
  ['no answer', cut],
]

/** The same content never twice; the profile's own path names the document. */
let content = 0
const bodyOf = (reference: string) => JSON.stringify({ uuid: reference, n: ++content })

/** The settings of a user who wants a resend to settle every unknown outcome. */
const settingsOf = (profile: RunSettings): RunSettings => ({
  ...profile,
  is_duplicate_safe: true,
  effect: 'submit',
  reference_path: 'uuid',
  // The bodies of this test are JSON.
  content_type: '',
  documents: null,
})

const everyProfile: [string, RunSettings][] = [
  [
    'no profile',
    settingsOf({
      ...runProfiles[0]!.settings,
      profile: '',
      duplicate_rule: null,
      success_rule: null,
    }),
  ],
  ...runProfiles.map(({ name, settings }): [string, RunSettings] => [name, settingsOf(settings)]),
]

/** The profiles whose rules take this answer for a success, or for "I have this already". */
const settles = (name: string, refusal: string) =>
  (name === 'zatca-reporting' && refusal === '409') ||
  (['myinvois', 'eta'].includes(name) && refusal === '422') ||
  // Without rules for the body a 200 is a success, whatever its body says.
  (['generic', 'netsuite', 'no profile'].includes(name) && refusal.startsWith('a 200'))

async function lostAnswer(settings: RunSettings, apiId?: number) {
  const end_point = await app.endpoint({ run_settings: settings }, apiId)
  const reference = `R-${end_point}`
  const { id } = runOf(await app.tax([{ end_point, body: bodyOf(reference) }]))
  expect(await app.show(id)).toMatchObject({ state: 'unknown' })
  return { id, end_point, reference }
}

const documentOf = (reference: string) =>
  app.server.db
    .selectFrom('document')
    .select(['state'])
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()

/** The document is not sent again: not by Correct, not from the start, not by a new run. */
async function expectNothingGoes({
  id,
  end_point,
  reference,
}: Awaited<ReturnType<typeof lostAnswer>>) {
  const before = app.upstream.received.length
  const retry = (body: unknown) => app.post(`/api/runs/${id}/retry`, body)
  const corrected = await retry({ endpoint_1: { body: bodyOf(reference) } })
  expect(corrected.body).toMatchObject({ code: 'run.may_be_accepted' })
  expect((await retry({ from_start: true })).body).toMatchObject({ code: 'run.may_be_accepted' })
  const another = await app.tax([{ end_point, body: bodyOf(reference) }])
  expect(another.body).toMatchObject({ code: 'document.may_be_accepted' })
  expect(app.upstream.received).toHaveLength(before)
}

describe.each(everyProfile)('%s: a document was stored and its answer lost', (name, settings) => {
  it.each(refusals)('the resend is answered with %s: still unknown', async (refusal, answer) => {
    app.answer(cut)
    const lost = await lostAnswer(settings)
    app.answer(answer)
    const resumed = await app.post(`/api/runs/${lost.id}/resume`, {})
    const state = settles(name, refusal) ? 'succeeded' : 'unknown'
    expect(runOf(resumed)).toMatchObject({ state, steps: [{ state }] })
    expect(await documentOf(lost.reference)).toEqual({
      state: state === 'unknown' ? 'unknown' : 'accepted',
    })
    app.answer(json(200, {}))
    await expectNothingGoes(lost)
    if (state !== 'unknown') return
    const received = await app.post(`/api/runs/${lost.id}/resolve`, {
      step: 1,
      verdict: 'received',
    })
    expect(runOf(received)).toMatchObject({ state: 'succeeded' })
  })

  it('the resend finds no connection: still unknown', async () => {
    const dying = await startUpstream(cut)
    const apiId = await app.createApi({ name: `Dying ${name}`, api_url: dying.url })
    const lost = await lostAnswer(settings, apiId)
    await dying.close()
    const resumed = await app.post(`/api/runs/${lost.id}/resume`, {})
    expect(runOf(resumed)).toMatchObject({ state: 'unknown', steps: [{ outcome: 'not_sent' }] })
    expect(await documentOf(lost.reference)).toEqual({ state: 'unknown' })
    await expectNothingGoes(lost)
  })

  it('refused again and again it stays unknown, until a person says that it was not received', async () => {
    app.answer(cut)
    const lost = await lostAnswer(settings)
    for (const [, answer] of refusals.filter(([refusal]) => !settles(name, refusal))) {
      app.answer(answer)
      const resumed = await app.post(`/api/runs/${lost.id}/resume`, {})
      expect(runOf(resumed)).toMatchObject({ state: 'unknown' })
    }
    await app.post(`/api/runs/${lost.id}/resolve`, { step: 1, verdict: 'not_received' })
    app.answer(json(400, refusedBody))
    const refused = await app.post(`/api/runs/${lost.id}/resume`, {})
    expect(runOf(refused)).toMatchObject({ state: 'rejected' })
    expect(await documentOf(lost.reference)).toEqual({ state: 'not_accepted' })
  })
})
