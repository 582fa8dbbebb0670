import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useCan } from '../../lib/session.tsx'
import { Panel } from '../../ui/panel.tsx'
import { QueryLoader } from '../../ui/query-loader.tsx'
import { homeQueries } from './home-queries.ts'
import { countWords, runItem, type WaitingItem } from './waiting-item.ts'
import classes from './waiting-panel.module.css'

interface WaitingPanelProps {
  /** Of other features: lanes, sign-ins, alarms. They come first. */
  others: readonly WaitingItem[]
}

/** What waits for somebody: each number leads to the list that it counts. */
export function WaitingPanel({ others }: WaitingPanelProps) {
  const can = useCan()
  const query = useQuery({ ...homeQueries.show(), enabled: can('run.view') })
  return (
    <Panel id="waiting" title="What needs you">
      {can('run.view') ? (
        <QueryLoader query={query} failureText="What waits for you could not be loaded.">
          {({ waiting = [] }) => <Items items={[...others, ...waiting.map(runItem)]} />}
        </QueryLoader>
      ) : (
        <Items items={others} />
      )}
    </Panel>
  )
}

function Items({ items }: { items: readonly WaitingItem[] }) {
  const there = items.filter(({ count }) => count > 0)
  if (there.length === 0) {
    return (
      <Text size="sm" className={classes['nothing'] ?? ''}>
        <IconCircleCheck size={18} aria-hidden />
        Nothing needs you now.
      </Text>
    )
  }
  return (
    <ul className={classes['items']}>
      {there.map((item) => (
        <Item key={item.key} item={item} />
      ))}
    </ul>
  )
}

function Item({ item }: { item: WaitingItem }) {
  const content = (
    <>
      <span className={classes['count']}>{countWords(item)}</span>
      <span className={classes['label']}>{item.label}</span>
    </>
  )
  const own = { className: classes['link'] ?? '', underline: 'never', c: 'inherit' } as const
  return (
    <li
      className={classes['item']}
      style={{ borderInlineStartColor: `var(--mantine-color-${item.color}-6)` }}
    >
      {item.to.startsWith('#') ? (
        <Anchor href={item.to} {...own}>
          {content}
        </Anchor>
      ) : (
        <Anchor component={Link} to={item.to} {...own}>
          {content}
        </Anchor>
      )}
      {item.hint !== undefined && (
        <Text size="xs" c="dimmed">
          {item.hint}
        </Text>
      )}
    </li>
  )
}
