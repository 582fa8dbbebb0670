import { Callable } from '../../features/access/access-panels.tsx'
import { TokenPage } from '../../features/tokens/token-page.tsx'
import { useCan } from '../../lib/session/session.tsx'

export function TokenScreen() {
  const canExplain = useCan()('api-permission.view')
  return (
    <TokenPage
      renderAccess={canExplain ? (id) => <Callable subject="token" id={id} /> : undefined}
    />
  )
}
