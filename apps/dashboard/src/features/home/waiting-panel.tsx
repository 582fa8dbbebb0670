import { Anchor, Button, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { ageWords } from '../../lib/format/age-words.ts'
import { useCan } from '../../lib/session/session.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { StatusWord } from '../../ui/text/status-word.tsx'
import { homeQueries } from './home-queries.ts'
import {
  countWords,
  runItem,
  runThing,
  type WaitingItem,
  type WaitingThing,
} from './waiting-item.ts'
import classes from './waiting-panel.module.css'

interface WaitingPanelProps {
  /** Of other features: lanes, sign-ins, alarms. They come first. */
  others: readonly WaitingItem[]
}

const thingsMax = 8

/** What waits for somebody: the things themselves, and each number with the list that it counts. */
export function WaitingPanel({ others }: WaitingPanelProps) {
  const can = useCan()
  const query = useQuery({ ...homeQueries.show(), enabled: can('run.view') })
  const { data: oldest } = useQuery({ ...homeQueries.oldestWork(), enabled: can('run.view') })
  const isAsked = query.data?.waiting?.some(
    ({ state, total }) => state === 'waits_for_release' && total > 0,
  )
  const { data: held } = useQuery({ ...homeQueries.oldestReleases(), enabled: isAsked === true })
  const things = others.flatMap((item) => item.things ?? [])
  // Nothing happens to a release until a person says so: these come first.
  const releases = isAsked ? (held?.[0].data ?? []) : []
  const runThings = [...releases, ...(oldest?.[0].data ?? [])].map(runThing)
  return (
    <Panel id="waiting" title="What needs you">
      {can('run.view') ? (
        <QueryLoader query={query} failureText="What waits for you could not be loaded.">
          {({ waiting = [] }) => (
            <Items
              items={[...others, ...waiting.map(runItem)]}
              things={[...things, ...runThings]}
            />
          )}
        </QueryLoader>
      ) : (
        <Items items={others} things={things} />
      )}
    </Panel>
  )
}

interface ItemsProps {
  items: readonly WaitingItem[]
  things: readonly WaitingThing[]
}

function Items({ items, things }: ItemsProps) {
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
    <>
      <ul className={classes['counts']} aria-label="How many">
        {there.map((item) => (
          <Count key={item.key} item={item} />
        ))}
      </ul>
      <ul className={classes['things']} aria-label="The first of them">
        {things.slice(0, thingsMax).map((thing) => (
          <Thing key={thing.key} thing={thing} />
        ))}
      </ul>
    </>
  )
}

function Count({ item }: { item: WaitingItem }) {
  const content = (
    <>
      <span className={classes['number']}>{countWords(item)}</span>
      <span>{item.label}</span>
    </>
  )
  const own = {
    className: classes['count'] ?? '',
    title: item.hint,
    underline: 'never',
    c: 'inherit',
    style: { '--mark': `var(--mantine-color-${item.color}-6)` },
  } as const
  return (
    <li>
      {item.to.startsWith('#') ? (
        <Anchor href={item.to} {...own}>
          {content}
        </Anchor>
      ) : (
        <Anchor component={Link} to={item.to} {...own}>
          {content}
        </Anchor>
      )}
    </li>
  )
}

function Thing({ thing: { label, color, name, since, to, action } }: { thing: WaitingThing }) {
  return (
    <li className={classes['thing']}>
      <span className={classes['state']}>
        <StatusWord color={color}>{label}</StatusWord>
      </span>
      <Anchor component={Link} to={to} c="inherit" fw={600} className={classes['name'] ?? ''}>
        <bdi>{name}</bdi>
      </Anchor>
      <span className={classes['age']} title={since ?? undefined}>
        {since ? ageWords(since) : ''}
      </span>
      <Button component={Link} to={to} variant="default" size="compact-sm">
        {action}
        <VisuallyHidden> {name}</VisuallyHidden>
      </Button>
    </li>
  )
}
