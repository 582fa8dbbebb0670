import { beforeEach, expect, test } from 'vitest'
import { blankForm, loadForm, saveForm, type KeptForm } from './kept-form.ts'
import { newRow } from '../../entities/mapping/mapping-form.ts'
import { writeToken } from '../../lib/session/token-store.ts'

// After a logout nothing is kept until the next login, and another file may have logged out.
beforeEach(() => writeToken('a token'))

const form: KeptForm = {
  getEndpoint: '3',
  getBody: '{"id": 1}',
  sendEndpoint: '4',
  sendBody: '',
  rows: [newRow({ from: 'id', to: 'id', type: 'integer?' })],
  openSend: { endpoint: 'Create post', startedAt: '2026-11-21T05:00:00.000Z' },
}

test('a form comes back as it was kept, its rows under new ids', () => {
  saveForm(1, form)
  const { rows, ...rest } = loadForm(1)
  const { rows: _, ...kept } = form
  expect(rest).toEqual(kept)
  expect(rows).toMatchObject([{ from: 'id', to: 'id', custom_input: '', type: 'integer?' }])
})

test('no user gets the form of another user', () => {
  saveForm(1, form)
  expect(loadForm(2)).toEqual(blankForm)
})

test.each([
  '',
  'not JSON',
  'null',
  '[1]',
  '{"rows": 5, "getBody": 7, "openSend": {}}',
  '{"getEndpoint": {}, "rows": null}',
])('a kept text that is not a form (%s) is a blank form', (text) => {
  sessionStorage.setItem('gatehouse.build-request.1', text)
  expect(loadForm(1)).toEqual(blankForm)
})

test('a body too large for the storage is left out, the rest is kept', () => {
  saveForm(1, { ...form, sendBody: 'x'.repeat(1_000_001) })
  const kept = loadForm(1)
  expect(kept.sendBody.length).toBe(0)
  expect(kept).toMatchObject({ getEndpoint: '3', getBody: '{"id": 1}' })
  expect(kept.rows).toHaveLength(1)
})
