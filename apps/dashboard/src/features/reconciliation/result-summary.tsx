import { Badge, Group, Text } from '@mantine/core'
import type { DifferenceKind, ReconciliationResult } from '@gatehouse/contract'
import { differenceWords, resultStateColors, resultStateWords } from './reconciliation-words.ts'
import { StatusWord } from '../../ui/text/status-word.tsx'

export function ResultBadge({ result }: { result: ReconciliationResult }) {
  const { state, counts } = result
  const isClean = state !== 'done' || counts.differing === 0
  return (
    <StatusWord color={isClean ? resultStateColors[state] : 'orange'}>
      {isClean ? (state === 'done' ? 'Agrees' : resultStateWords[state]) : 'Differs'}
    </StatusWord>
  )
}

/** How many of each kind differ, in the order of the kinds. */
export function DifferenceBadges({ result }: { result: ReconciliationResult }) {
  const kinds = Object.keys(differenceWords) as DifferenceKind[]
  const found = kinds.flatMap((kind) => {
    const count = result.differences[kind]
    return count ? [`${differenceWords[kind]} ${count.toLocaleString('en')}`] : []
  })
  if (found.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {result.message ?? (result.state === 'done' ? 'Nothing differs' : '–')}
      </Text>
    )
  return (
    <Group gap={6}>
      {found.map((words) => (
        <Badge key={words} component="span" color="orange" variant="light" miw="max-content">
          {words}
        </Badge>
      ))}
    </Group>
  )
}
