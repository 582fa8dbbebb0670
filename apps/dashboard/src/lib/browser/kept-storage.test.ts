import { beforeEach, expect, test } from 'vitest'
import { followForgetting, forgetKept, readKept, writeKept } from './kept-storage.ts'
import { removeToken, writeToken } from '../session/token-store.ts'

beforeEach(() => {
  writeToken('a token')
  writeKept('form.1', 'a draft')
})

test('what pages kept is gone with the logout, and nothing else is', () => {
  sessionStorage.setItem('other', 'stays')
  removeToken()
  forgetKept()
  expect(readKept('form.1')).toBeNull()
  expect(sessionStorage.getItem('other')).toBe('stays')
  expect(Object.keys(localStorage)).not.toContain('gatehouse-signed-out')
})

test('an answer that comes after the logout brings nothing back; the next login keeps again', () => {
  removeToken()
  forgetKept()
  writeKept('form.1', 'late')
  expect(readKept('form.1')).toBeNull()
  writeToken('the next')
  writeKept('form.1', 'new')
  expect(readKept('form.1')).toBe('new')
})

test('a logout in another tab is followed', () => {
  const stop = followForgetting()
  window.dispatchEvent(new StorageEvent('storage', { key: 'gatehouse-signed-out', newValue: 'x' }))
  expect(readKept('form.1')).toBeNull()
  stop()
})

test('a session that only expired keeps the forms for its user', () => {
  removeToken()
  expect(readKept('form.1')).toBe('a draft')
})
