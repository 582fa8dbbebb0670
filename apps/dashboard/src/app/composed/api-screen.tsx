import type { ComponentType } from 'react'
import type { Permission } from '@gatehouse/contract'
import { Navigate, useParams } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { ApiPage } from '../../features/apis/api-page.tsx'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import { Loading } from '../../ui/page/loading.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { ForbiddenPage, NotFoundPage } from '../shell/failure-pages.tsx'

interface ApiPart {
  name: string
  label: string
  permission: Permission
  pathOf: (apiId: number) => string
  Content: ComponentType<{ apiId: number }>
}

/** In the order of the tabs; each loads its code when it is opened. */
const apiParts: readonly ApiPart[] = [
  {
    name: 'settings',
    label: 'Settings',
    permission: 'api.edit',
    pathOf: paths.apiEdit,
    Content: lazyPart(
      async () => (await import('./api-settings-part.tsx')).ApiSettingsPart,
      <Loading />,
    ),
  },
  {
    name: 'draft',
    label: 'Draft',
    permission: 'api.edit',
    pathOf: (id) => paths.apiPart(id, 'draft'),
    Content: lazyPart(
      async () =>
        (await import('../../features/apis/draft/api-draft-settings.tsx')).ApiDraftSettings,
      <Loading />,
    ),
  },
  {
    name: 'endpoints',
    label: 'Endpoints',
    permission: 'endpoint.view',
    pathOf: (id) => paths.apiPart(id, 'endpoints'),
    Content: lazyPart(
      async () => (await import('../../features/endpoints/endpoints-of-api.tsx')).EndpointsOfApi,
      <Loading />,
    ),
  },
  {
    name: 'agents',
    label: 'Agents',
    permission: 'endpoint.view',
    pathOf: (id) => paths.apiPart(id, 'agents'),
    Content: lazyPart(
      async () => (await import('../../features/endpoints/tools-of-api.tsx')).ToolsOfApi,
      <Loading />,
    ),
  },
  {
    name: 'traffic',
    label: 'Traffic',
    permission: 'dashboard.view',
    pathOf: (id) => paths.apiPart(id, 'traffic'),
    Content: lazyPart(
      async () => (await import('../../features/traffic/traffic-panel.tsx')).TrafficPanel,
      <Loading />,
    ),
  },
  {
    name: 'access',
    label: 'Access',
    permission: 'api-permission.view',
    pathOf: (id) => paths.apiPart(id, 'access'),
    Content: lazyPart(
      async () => (await import('../../features/access/access-of-api.tsx')).AccessOfApi,
      <Loading />,
    ),
  },
  {
    name: 'history',
    label: 'History',
    permission: 'audit.view',
    pathOf: (id) => paths.apiPart(id, 'history'),
    Content: lazyPart(
      async () => (await import('../../features/audit/history-of-api.tsx')).HistoryOfApi,
      <Loading />,
    ),
  },
]

/** The page of an API at the part that the address names; without one, at the first that the user may see. */
export function ApiScreen() {
  const { part } = useParams()
  const apiId = useRecordId()
  const can = useCan()
  if (part !== undefined) return <ApiAt name={part} />
  const first = apiParts.find(({ permission }) => can(permission))
  if (first) return <Navigate to={first.pathOf(apiId)} replace />
  return (
    <ApiPage apiId={apiId} tabs={[]} hasCheck>
      <Notice title="You may see no more of this API." />
    </ApiPage>
  )
}

/** The spec's address of Edit API (spec: api-form). */
export const ApiSettingsScreen = () => <ApiAt name="settings" />

function ApiAt({ name }: { name: string }) {
  const apiId = useRecordId()
  const can = useCan()
  const part = apiParts.find((each) => each.name === name)
  if (!part) return <NotFoundPage />
  if (!can(part.permission)) return <ForbiddenPage permission={part.permission} />
  const tabs = apiParts.flatMap(({ permission, label, pathOf }) =>
    can(permission) ? [{ label, path: pathOf(apiId) }] : [],
  )
  return (
    <ApiPage apiId={apiId} tabs={tabs} part={part.label} hasCheck={name !== 'settings'}>
      <part.Content apiId={apiId} />
    </ApiPage>
  )
}
