import { describe, expect, it } from 'vitest'
import { cacheOf, control } from './testing/cache-with-clock.ts'

describe('a request', () => {
  it.each([
    [{ 'cache-control': 'no-cache' }, 'stale'],
    [{ pragma: 'no-cache' }, 'stale'],
    [{ pragma: 'no-cache', 'cache-control': 'max-age=100' }, 'hit'],
    [{ 'cache-control': 'max-age=9' }, 'stale'],
    [{ 'cache-control': 'max-age=10' }, 'hit'],
    [{ 'cache-control': 'min-fresh=50' }, 'stale'],
    [{ 'cache-control': 'min-fresh=49' }, 'hit'],
    [{ 'cache-control': 'no-store' }, 'bypass'],
    [{ 'cache-control': 'no-cache, only-if-cached' }, 'refused'],
    [{ range: 'bytes=0-1' }, 'hit'],
    [{ range: 'bytes=0-1,3-3' }, 'bypass'],
    [{ 'if-match': '"v1"' }, 'bypass'],
  ])('with %j of an answer 10 s old is a %s', (fields, kind) => {
    const { lookUp, store, pass } = cacheOf()
    store(control('max-age=60'))
    pass(10)
    expect(lookUp(fields as Record<string, string>).kind).toBe(kind)
  })

  it('may ask for an answer past its time, where that is not forbidden', () => {
    for (const [value, kind] of [
      ['max-age=60', 'hit'],
      ['max-age=60, must-revalidate', 'stale'],
      ['s-maxage=60', 'stale'],
    ]) {
      const { lookUp, store, pass } = cacheOf()
      store(control(value ?? ''))
      pass(70)
      expect(lookUp({ 'cache-control': 'max-stale=10' }).kind, value).toBe(kind)
      expect(lookUp({ 'cache-control': 'max-stale=9' }).kind, value).toBe('stale')
    }
  })

  it('finds the variant that it selects', () => {
    const { lookUp, store } = cacheOf()
    for (const language of ['en', 'ar']) {
      const fields = { 'accept-language': language }
      store({ ...control('max-age=60', { vary: 'Accept-Language' }), body: language }, fields)
    }
    const found = (fields: Record<string, string>) => {
      const result = lookUp(fields)
      return result.kind === 'hit' ? result.answer.body.toString() : result.kind
    }
    expect(found({ 'accept-language': 'en' })).toBe('en')
    expect(found({ 'accept-language': 'ar' })).toBe('ar')
    expect(found({ 'accept-language': 'fr' })).toBe('miss')
    expect(found({})).toBe('miss')
  })

  it('that identifies its sender is not given an answer to an anonymous request', () => {
    const { lookUp, store } = cacheOf()
    store(control('public, max-age=60'))
    expect(lookUp({ authorization: 'Bearer x' }).kind).toBe('miss')
  })
})
