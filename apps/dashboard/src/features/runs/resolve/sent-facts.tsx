import { useMemo, type ReactNode } from 'react'
import type { RunDetail, RunStepDetail } from '@gatehouse/contract'
import { Facts } from '../../../ui/text/facts.tsx'
import { Moment } from '../../../ui/text/moment.tsx'
import { sentAmounts } from './sent-amounts.ts'
import classes from '../runs.module.css'

interface SentFactsProps {
  run: RunDetail
  step: RunStepDetail
}

const shownReferences = 5

/** What a person compares with the portal of the authority: which document, about how much, sent when. */
export function SentFacts({ run, step }: SentFactsProps) {
  const amounts = useMemo(() => sentAmounts(step), [step])
  const sends = step.attempts.filter(({ kind }) => kind === 'send' || kind === 'resend')
  const [first] = sends
  const last = sends.at(-1)
  const facts: [string, ReactNode][] = [['Reference', <bdi key="r">{referenceOf(run, step)}</bdi>]]
  for (const { path, value } of amounts)
    facts.push([`Amount (${path})`, <bdi key={path}>{value}</bdi>])
  if (first) facts.push(['Sent', <Moment key="sent" at={first.started_at} hasZone />])
  if (last && last !== first)
    facts.push(['Sent again', <Moment key="again" at={last.started_at} hasZone />])
  return (
    <section aria-label="What was sent" className={classes['sent']}>
      <Facts facts={facts} />
    </section>
  )
}

function referenceOf(run: RunDetail, { documents }: RunStepDetail): string {
  const references = documents.map(({ reference }) => reference)
  if (references.length === 0) return run.reference ?? 'none'
  const more = references.length - shownReferences
  const named = references.slice(0, shownReferences).join(', ')
  return more > 0 ? `${named} and ${more} more` : named
}
