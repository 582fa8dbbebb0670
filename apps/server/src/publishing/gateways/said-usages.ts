import { z } from 'zod'
import type { TokenUsage } from '../gateway-link.ts'

/** PostgreSQL takes 8,000 bytes in a notification; one of these has 60 at most. */
const usagesOfPayload = 100

const count = z.coerce.number().int().nonnegative()
const usage = z.tuple([count, z.iso.date(), count, count])

/** What the control plane says to gateways that run alone: `usage 7:2026-11-23:12:90,8:…`. */
export function saidUsages(usages: readonly TokenUsage[]): string[] {
  const payloads: string[] = []
  for (let at = 0; at < usages.length; at += usagesOfPayload) {
    const part = usages.slice(at, at + usagesOfPayload)
    const texts = part.map((each) =>
      [each.token_id, each.day, each.today, each.this_month].join(':'),
    )
    payloads.push(`usage ${texts.join(',')}`)
  }
  return payloads
}

/** The same, heard; what can't be read is left out. */
export function heardUsages(said: string): TokenUsage[] {
  return said.split(',').flatMap((text) => {
    const read = usage.safeParse(text.split(':'))
    if (!read.success) return []
    const [token_id, day, today, this_month] = read.data
    return [{ token_id, day, today, this_month }]
  })
}
