import type { AccessChange } from '@gatehouse/contract'

/** One sentence: "Opens 2 endpoints and closes 1 for 3 users." */
export function summarise({ opened, closed, users_count }: AccessChange): string {
  const deeds = [
    ...(opened.length > 0 ? [`opens ${count(opened.length, 'endpoint')}`] : []),
    ...(closed.length > 0 ? [`closes ${count(closed.length, 'endpoint')}`] : []),
  ]
  if (deeds.length === 0) return 'Saving changes nothing.'
  const whom = users_count === 0 ? 'nobody yet: no user has this role' : count(users_count, 'user')
  return `Saving ${deeds.join(' and ')} for ${whom}.`
}

const count = (number: number, noun: string) => (number === 1 ? `1 ${noun}` : `${number} ${noun}s`)
