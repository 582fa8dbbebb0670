import { Badge, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { JudgedAnswer, JudgedRule } from '@gatehouse/contract'
import { conditionChoices } from '../../../entities/answer-rule/answer-rule-fields.tsx'
import { DocumentBadge } from '../../../entities/document/document-badge.tsx'
import { Facts } from '../../../ui/text/facts.tsx'
import { Moment } from '../../../ui/text/moment.tsx'
import { decidedWords, ruleNames, verdictOf } from './bench-words.ts'
import classes from './answer-bench.module.css'

/** What the rules make of an answer, and why. */
export function BenchVerdict({ judged }: { judged: JudgedAnswer }) {
  const { words, color } = verdictOf(judged)
  return (
    <section aria-label="Verdict" className={classes['verdict']}>
      <Group gap="xs" aria-live="polite">
        <Badge color={color} size="lg">
          {words}
        </Badge>
        <Text size="sm">{decidedWords[judged.decided_by]}</Text>
      </Group>
      {judged.message !== null && (
        <Text size="sm" c="dimmed" mt={4}>
          The run would say: {judged.message}
        </Text>
      )}
      {judged.rules.length > 0 && (
        <Stack gap="xs" my="sm">
          {judged.rules.map((rule) => (
            <Rule key={rule.rule} rule={rule} isDeciding={rule.rule === judged.decided_by} />
          ))}
        </Stack>
      )}
      <Found judged={judged} />
    </section>
  )
}

const verdictWords = { holds: 'fits', fails: 'does not fit', unreadable: 'can’t be read' } as const

function Rule({ rule, isDeciding }: { rule: JudgedRule; isDeciding: boolean }) {
  const { fits_status, conditions, join } = rule
  return (
    <div className={classes['rule']} data-deciding={isDeciding || undefined}>
      <Text size="sm" fw={600}>
        {ruleNames[rule.rule]}: {verdictWords[rule.verdict]}
        {isDeciding && ', and decides'}
      </Text>
      {!fits_status && <Text size="sm">The status is not one of its statuses.</Text>}
      {fits_status && conditions.length > 1 && (
        <Text size="xs" c="dimmed">
          {join === 'any' ? 'One of these has to hold.' : 'All of these have to hold.'}
        </Text>
      )}
      {fits_status && (
        <ul className={classes['conditions']}>
          {conditions.map((condition, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- conditions have no name of their own
            <Condition key={at} condition={condition} isDeciding={isDeciding} />
          ))}
        </ul>
      )}
    </div>
  )
}

interface ConditionProps {
  condition: JudgedRule['conditions'][number]
  isDeciding: boolean
}

function Condition({ condition, isDeciding }: ConditionProps) {
  const { path, test, value, found, found_count, holds } = condition
  const words = conditionChoices.find((each) => each.value === test)?.label ?? test
  const more = found_count - found.length
  return (
    <li data-holds={holds ?? undefined}>
      <span className={classes['mark']} aria-hidden>
        {holds === null ? '?' : holds ? '✓' : '✗'}
      </span>
      <span>
        <code>{path}</code> {words} {value !== '' && <code>{value}</code>}
        {': '}
        {holds === null ? 'not read' : holds ? 'holds' : 'does not hold'}
        {holds && isDeciding && ', decides'}
        <span className={classes['found']}>
          {holds === null ? '' : found_count === 0 ? 'nothing found' : `found ${found.join(', ')}`}
          {more > 0 && ` and ${more} more`}
        </span>
      </span>
    </li>
  )
}

function Found({ judged: { found, documents } }: { judged: JudgedAnswer }) {
  const facts: [string, ReactNode][] = [
    ['Authority reference', found.authority_reference],
    ['QR', found.qr],
    ['Asked by', found.ask_by],
    ['Not again before', found.wait_until && <Moment key="wait" at={found.wait_until} />],
  ]
  const seen = facts.filter(([, value]) => value !== null)
  return (
    <>
      {seen.length > 0 && <Facts facts={seen} />}
      {documents.length > 0 && (
        <ul className={classes['conditions']} aria-label="Documents of the answer">
          {documents.map(({ reference, state, authority_reference, message }) => (
            <li key={reference}>
              <bdi>{reference}</bdi> <DocumentBadge state={state} />
              {authority_reference !== null && <bdi>{authority_reference}</bdi>}
              {message !== null && <span>{message}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
