import { useQuery } from '@tanstack/react-query'
import { Text } from '@mantine/core'
import type { HomeAnswer } from '@gatehouse/contract'
import { useState, type ReactNode } from 'react'
import { RegisterFilter } from '../../entities/document/register-filter.tsx'
import { paths } from '../../entities/paths.ts'
import { Panel } from '../../ui/page/panel.tsx'
import { AuthorityRow } from './authority-row.tsx'
import classes from './documents-panel.module.css'
import { homeQueries } from './home-queries.ts'
import { ShowAll } from '../../ui/table/show-all.tsx'

type Documents = NonNullable<HomeAnswer['documents']>

const shownMax = 8

/** The documents of today by authority, with those of fourteen days as a picture. */
export function DocumentsPanel() {
  // Where it could not be loaded, the panel above says so.
  const [register, setRegister] = useState('')
  const { data } = useQuery(homeQueries.show(register))
  if (!data?.documents) return null
  if (data.documents.authorities.length === 0 && register === '') {
    return (
      <Text size="sm" c="dimmed">
        Documents are shown here once a run has sent one. An endpoint sends documents when its form
        names a document reference path, under Tax and credit runs.
      </Text>
    )
  }
  return (
    <Authorities documents={data.documents}>
      <RegisterFilter value={register} onChange={(chosen) => setRegister(chosen ?? '')} />
    </Authorities>
  )
}

interface AuthoritiesProps {
  documents: Documents
  /** The filter. */
  children: ReactNode
}

function Authorities({ documents: { days, authorities }, children }: AuthoritiesProps) {
  const [isAll, setAll] = useState(false)
  const shown = isAll ? authorities : authorities.slice(0, shownMax)
  return (
    <Panel
      id="documents-today"
      title="Documents today"
      subtitle="By authority, without test documents. The bars are the last 14 days."
      more={{ label: 'All documents', to: paths.documents }}
    >
      <div className={classes['filter']}>{children}</div>
      <ul className={classes['list']}>
        {shown.map((authority) => (
          <AuthorityRow
            key={`${authority.api?.id ?? 0} ${authority.register}`}
            authority={authority}
            days={days}
            isOneOfSeveral={
              authorities.filter(({ api }) => api?.id === authority.api?.id).length > 1
            }
          />
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
