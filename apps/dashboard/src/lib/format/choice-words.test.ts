import { expect, test } from 'vitest'
import { choiceWords } from './choice-words.ts'

test('a choice is called by its label, several are on lines, and what is not offered stays', () => {
  const words = choiceWords(['plain', { value: '7', label: 'Till' }, { value: '', label: 'All' }])
  expect(words('7')).toBe('Till')
  expect(words(7)).toBe('Till')
  expect(words('')).toBe('All')
  expect(words('plain')).toBe('plain')
  expect(words([7, '9'])).toBe('Till\n9')
})
