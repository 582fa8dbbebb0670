import { Group, Paper, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconApi, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/calls/call.ts'
import { paths } from '../../entities/paths.ts'
import { useUser } from '../../lib/session/session.tsx'
import { Page } from '../../ui/page/page.tsx'
import classes from './home-page.module.css'

export function HomePage({ children }: { children: ReactNode }) {
  const user = useUser()
  return <Page title={`Welcome, ${user.name}`}>{children}</Page>
}

/** Leads to the APIs, and says how many there are (spec: shell). */
export function ApisTile() {
  const count = useQuery({
    queryKey: ['apis', 'count'],
    queryFn: async ({ signal }) => {
      const [page] = await call('GET /api/apis', { query: { limit: 1 }, signal })
      return page.total
    },
  })
  return (
    <Paper component={Link} to={paths.apis} className={classes['tile'] ?? ''}>
      <Group gap="md" wrap="nowrap">
        <span className={classes['icon']}>
          <IconApi size={24} stroke={1.6} />
        </span>
        <div className={classes['text']}>
          <Text fw={600}>APIs</Text>
          {count.isPending && <Skeleton h={14} w={88} mt={4} />}
          {count.isSuccess && (
            <Text size="sm" c="dimmed">
              {count.data === 1 ? '1 registered' : `${count.data} registered`}
            </Text>
          )}
        </div>
        <IconChevronRight size={18} aria-hidden />
      </Group>
    </Paper>
  )
}
