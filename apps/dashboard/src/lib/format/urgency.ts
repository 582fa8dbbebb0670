import { ageWords, durationWords } from './age-words.ts'

interface Urgency {
  words: string
  /** By meaning: gray, orange and red. The words say the same. */
  color: 'gray' | 'orange' | 'red'
  isUrgent: boolean
}

const hourMs = 3_600_000

/** How long the oldest of what is not decided waits: orange after an hour, red after a day. */
export function ageUrgency(since: string, now = Date.now()): Urgency {
  const ageMs = now - Date.parse(since)
  const color = ageMs > 24 * hourMs ? 'red' : ageMs > hourMs ? 'orange' : 'gray'
  return { words: `undecided for ${ageWords(since, now)}`, color, isUrgent: color === 'red' }
}

/** How long is left until a deadline: orange within an hour, red when it has passed. */
export function deadlineUrgency(at: string, now = Date.now()): Urgency {
  const leftMs = Date.parse(at) - now
  if (leftMs <= 0) return { words: 'deadline has passed', color: 'red', isUrgent: true }
  const color = leftMs < hourMs ? 'orange' : 'gray'
  return {
    words: `first deadline in ${durationWords(leftMs)}`,
    color,
    isUrgent: color === 'orange',
  }
}
