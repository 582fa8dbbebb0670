import { beforeEach, expect, test, vi } from 'vitest'
import { blankBundle, toTaxBody } from './bundle-form.ts'
import { loadBundle, saveBundle } from './use-bundle-form.ts'
import { writeToken } from '../../lib/session/token-store.ts'

// After a logout nothing is kept until the next login, and another file may have logged out.
beforeEach(() => writeToken('a token'))

test('a form comes back as it was left, key and all, to the same user alone', () => {
  const form = {
    ...blankBundle('tax'),
    isTest: true,
    isDependent: true,
    dependencyField: 'id:ref',
    sentKey: 'sent-key',
    isChanged: false,
  }
  form.steps[1] = { endpoint: '4', body: '{"total": 0.10}' }
  saveBundle('tax', 7, form)
  expect(loadBundle('tax', 7)).toEqual(form)
  expect(loadBundle('tax', 8)).toMatchObject({ isTest: false, sentKey: null })
  expect(loadBundle('credit', 7).steps).toHaveLength(3)
})

test('a form that opens for the first time has the spec’s dependency field and its own key', () => {
  const [one, other] = [loadBundle('tax', 7), loadBundle('tax', 7)]
  expect(one.dependencyField).toBe('id,title')
  expect(one.steps).toHaveLength(4)
  expect(one.key).not.toBe(other.key)
})

test('the form opens whatever the storage holds', () => {
  for (const text of [
    '',
    'null',
    '[1]',
    '{"steps":"x","key":"","sentKey":5}',
    '{"steps":[null]}',
  ]) {
    sessionStorage.setItem('gatehouse.tax.7', text)
    const form = loadBundle('tax', 7)
    expect(form.steps).toHaveLength(4)
    expect(form.key).not.toBe('')
    expect(form.sentKey).toBeNull()
  }
})

test('where the bodies are too large to be kept, the key still is', () => {
  const form = { ...blankBundle('tax'), sentKey: 'sent-key' }
  form.steps[0] = { endpoint: '3', body: 'x'.repeat(1000) }
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => {
      if (text.length > 800) throw new DOMException('', 'QuotaExceededError')
      kept.set(name, text)
    },
  })
  saveBundle('tax', 7, form)
  expect(loadBundle('tax', 7)).toMatchObject({
    key: form.key,
    sentKey: 'sent-key',
    steps: [{ endpoint: '3', body: '' }, {}, {}, {}],
  })
})

test('endpoint 1 has the get token, the others share the post token; the flag is on every one', () => {
  const form = { ...blankBundle('tax'), isTest: true }
  const body = toTaxBody(form, { get: 'g', post: 'p' })
  expect([body.endpoint_1, body.endpoint_2, body.endpoint_3, body.endpoint_4]).toMatchObject([
    { token: 'g', test_invoice: true },
    { token: 'p', test_invoice: true, dependency_field: '', is_dependent: false },
    { token: 'p', test_invoice: true },
    { token: 'p', test_invoice: true },
  ])
  const dependent = toTaxBody({ ...form, isDependent: true }, { get: '', post: '' })
  expect(dependent.endpoint_2).toMatchObject({ dependency_field: 'id,title', is_dependent: true })
})
