import { Badge, Button, Text } from '@mantine/core'
import type { PreviewStep } from '@gatehouse/contract'
import { useState } from 'react'
import classes from './tax.module.css'

type Mark = PreviewStep['marks'][number]

const kinds: Record<Mark['kind'], { word: string; color: string }> = {
  empty: { word: 'empty', color: 'red' },
  changed: { word: 'changed', color: 'orange' },
  added: { word: 'new', color: 'blue' },
  removed: { word: 'missing', color: 'orange' },
}
const shownAtFirst = 20

/** Places that deserve a look before they are sent: the empty ones first. */
export function PreviewMarks({ marks }: { marks: readonly Mark[] }) {
  const [isOpen, setIsOpen] = useState(false)
  if (marks.length === 0) return null
  const ordered = marks.toSorted((a, b) => Number(b.kind === 'empty') - Number(a.kind === 'empty'))
  const shown = isOpen ? ordered : ordered.slice(0, shownAtFirst)
  return (
    <div>
      <Text size="sm" fw={600}>
        {marks.length === 1 ? '1 place' : `${marks.length} places`} to look at
      </Text>
      <ul className={classes['marks']}>
        {shown.map((mark) => (
          <li key={`${mark.kind} ${mark.path}`}>
            <Badge color={kinds[mark.kind].color}>{kinds[mark.kind].word}</Badge>
            <span>
              <code>{mark.path}</code> {describe(mark)}
            </span>
          </li>
        ))}
      </ul>
      {shown.length < marks.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setIsOpen(true)}>
          Show all {marks.length}
        </Button>
      )}
    </div>
  )
}

function describe({ kind, before, now }: Mark) {
  switch (kind) {
    case 'empty':
      return 'has no value'
    case 'added':
      return <>is {now}; the last accepted request had none</>
    case 'removed':
      return <>was {before} in the last accepted request</>
    case 'changed':
    default:
      return (
        <>
          is {now}; it was {before}
        </>
      )
  }
}
