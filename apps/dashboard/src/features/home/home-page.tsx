import { Group, Paper, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconApi, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/call.ts'
import { paths } from '../../entities/paths.ts'
import { useCan, useUser } from '../../lib/session.tsx'
import { Page } from '../../ui/page.tsx'
import classes from './home-page.module.css'

/** Dashboard home: one tile, APIs (spec: screens); beneath it what others put there. */
export function HomePage({ children }: { children?: ReactNode }) {
  const user = useUser()
  const can = useCan()
  return (
    <Page title={`Welcome, ${user.name}`}>
      {can('api.view') && (
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
          <ApisTile />
        </SimpleGrid>
      )}
      {children}
    </Page>
  )
}

function ApisTile() {
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
