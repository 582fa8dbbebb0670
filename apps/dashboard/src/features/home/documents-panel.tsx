import { useQuery } from '@tanstack/react-query'
import { Text } from '@mantine/core'
import type { HomeAnswer } from '@gatehouse/contract'
import { useState } from 'react'
import { paths } from '../../entities/paths.ts'
import { Panel } from '../../ui/panel.tsx'
import { AuthorityRow } from './authority-row.tsx'
import classes from './documents-panel.module.css'
import { homeQueries } from './home-queries.ts'
import { ShowAll } from '../../ui/show-all.tsx'

type Documents = NonNullable<HomeAnswer['documents']>

const shownMax = 8

/** The documents of today by authority, with those of fourteen days as a picture. */
export function DocumentsPanel() {
  // Where it could not be loaded, the panel above says so.
  const { data } = useQuery(homeQueries.show())
  if (!data?.documents) return null
  if (data.documents.authorities.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Documents are shown here once a run has sent one. An endpoint sends documents when its form
        names a document reference path, under Tax and credit runs.
      </Text>
    )
  }
  return <Authorities documents={data.documents} />
}

function Authorities({ documents: { days, authorities } }: { documents: Documents }) {
  const [isAll, setAll] = useState(false)
  const shown = isAll ? authorities : authorities.slice(0, shownMax)
  return (
    <Panel
      id="documents-today"
      title="Documents today"
      subtitle="By authority, without test documents. The bars are the last 14 days."
      more={{ label: 'All documents', to: paths.documents }}
    >
      <ul className={classes['list']}>
        {shown.map((authority) => (
          <AuthorityRow key={authority.api?.id ?? 0} authority={authority} days={days} />
        ))}
      </ul>
      <ShowAll
        count={authorities.length}
        shown={shown.length}
        noun="authorities"
        onShow={() => setAll(true)}
      />
    </Panel>
  )
}
