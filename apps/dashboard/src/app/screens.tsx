import {
  IconArchive,
  IconArrowsExchange,
  IconBell,
  IconBook2,
  IconFileInvoice,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListCheck,
  IconListSearch,
  IconLogs,
  IconPhoto,
  IconReceiptRefund,
  IconRoute,
  IconScale,
  IconServer2,
  IconSend,
  IconShieldLock,
  IconSitemap,
  IconTimeline,
  IconTrafficLights,
  IconUser,
  IconUserShield,
  IconWorld,
  IconWorldCode,
} from '@tabler/icons-react'
import { UnknownMark } from '../features/runs/unknown-mark.tsx'
import { paths } from '../entities/paths.ts'
import type { Screen } from './screen.ts'

/**
 * Every screen inside the shell: its address, the permission it needs, and its entry in the sidebar.
 * The sidebar shows its entries in this order. A new screen is one row here.
 */
export const screens: readonly Screen[] = [
  {
    paths: [paths.home, '/'],
    title: 'Dashboard',
    permission: 'dashboard.view',
    load: async () => (await import('./composed/home-screen.tsx')).HomeScreen,
    menu: { label: 'Dashboard', icon: IconLayoutDashboard },
  },
  {
    paths: [paths.traffic],
    title: 'Gateway traffic',
    permission: 'dashboard.view',
    load: async () => (await import('../features/traffic/traffic-page.tsx')).TrafficPage,
  },
  {
    paths: [paths.personalToken],
    title: 'Personal Access Token',
    permission: 'token.view',
    load: async () => (await import('./composed/token-screen.tsx')).TokenScreen,
    menu: { label: 'Personal Access Token', icon: IconKey },
  },
  {
    paths: [paths.logs],
    title: 'Log Viewer',
    permission: 'log.view',
    load: async () => (await import('../features/logs/log-page.tsx')).LogPage,
    menu: { label: 'Log Viewer', icon: IconLogs },
  },
  {
    paths: [paths.gatewayRequests],
    title: 'Gateway requests',
    permission: 'log.view',
    load: async () => (await import('../features/gateway-requests/request-page.tsx')).RequestPage,
    menu: { label: 'Gateway requests', icon: IconListSearch },
  },
  {
    paths: [paths.imageGenerator],
    title: 'Image generator',
    permission: 'image.generate',
    load: async () =>
      (await import('../features/images/image-generator-page.tsx')).ImageGeneratorPage,
    menu: { label: 'Image generator', icon: IconPhoto },
  },
  {
    paths: [paths.audit],
    title: 'Audit Trail',
    permission: 'audit.view',
    load: async () => (await import('../features/audit/audit-page.tsx')).AuditPage,
    menu: { label: 'Audit Trail', icon: IconHistory },
  },
  {
    paths: [paths.alarms],
    title: 'Alarms',
    permission: 'alarm.view',
    load: async () => (await import('../features/alarms/alarm-list-page.tsx')).AlarmListPage,
    menu: { label: 'Alarms', icon: IconBell },
  },
  {
    paths: [paths.alarmRules],
    title: 'Alarm rules',
    permission: 'alarm.view',
    parent: paths.alarms,
    load: async () =>
      (await import('../features/alarms/alarm-rule-list-page.tsx')).AlarmRuleListPage,
  },
  {
    paths: [paths.alarmRuleCreate],
    title: 'Add alarm rule',
    permission: 'alarm.edit',
    parent: paths.alarms,
    load: async () => (await import('../features/alarms/alarm-rule-pages.tsx')).AlarmRuleCreatePage,
  },
  {
    paths: ['/dashboard/admin/alarm-rules/edit/:id'],
    title: 'Alarm rule',
    permission: 'alarm.view',
    parent: paths.alarms,
    load: async () => (await import('../features/alarms/alarm-rule-pages.tsx')).AlarmRuleEditPage,
  },
  {
    paths: [paths.alarmChannels],
    title: 'Alarm channels',
    permission: 'alarm.view',
    parent: paths.alarms,
    load: async () =>
      (await import('../features/alarms/alarm-channel-list-page.tsx')).AlarmChannelListPage,
  },
  {
    paths: [paths.alarmChannelCreate],
    title: 'Add alarm channel',
    permission: 'alarm.edit',
    parent: paths.alarms,
    load: async () =>
      (await import('../features/alarms/alarm-channel-pages.tsx')).AlarmChannelCreatePage,
  },
  {
    paths: ['/dashboard/admin/alarm-channels/edit/:id'],
    title: 'Edit alarm channel',
    permission: 'alarm.edit',
    parent: paths.alarms,
    load: async () =>
      (await import('../features/alarms/alarm-channel-pages.tsx')).AlarmChannelEditPage,
  },
  {
    paths: [paths.nodes],
    title: 'Nodes',
    permission: 'node.view',
    load: async () => (await import('../features/nodes/node-list-page.tsx')).NodeListPage,
    menu: { label: 'Nodes', icon: IconServer2 },
  },
  {
    paths: [paths.archive],
    title: 'Archive',
    permission: 'archive.view',
    load: async () => (await import('../features/archive/archive-page.tsx')).ArchivePage,
    menu: { label: 'Archive', icon: IconArchive },
  },
  {
    paths: [paths.account],
    title: 'My account',
    permission: 'session',
    load: async () => (await import('../features/users/account-page.tsx')).AccountPage,
  },
  {
    paths: [paths.search],
    title: 'Search',
    permission: 'session',
    load: async () => (await import('../features/search/search-page.tsx')).SearchPage,
  },
  {
    paths: [paths.roles],
    title: 'All Roles',
    permission: 'role.view',
    load: async () => (await import('../features/roles/role-list-page.tsx')).RoleListPage,
    menu: { label: 'All Roles', icon: IconShieldLock, group: 'Users' },
  },
  {
    paths: [paths.roleCreate],
    title: 'Create Role',
    permission: 'role.create',
    parent: paths.roles,
    load: async () => (await import('../features/roles/role-create-page.tsx')).RoleCreatePage,
  },
  {
    paths: ['/dashboard/admin/role/edit/:id'],
    title: 'Edit Role',
    permission: 'role.view',
    parent: paths.roles,
    load: async () => (await import('./composed/role-edit-screen.tsx')).RoleEditScreen,
  },
  {
    paths: [paths.users],
    title: 'All Users',
    permission: 'user.view',
    load: async () => (await import('../features/users/user-list-page.tsx')).UserListPage,
    menu: { label: 'All Users', icon: IconUser, group: 'Users' },
  },
  {
    paths: [paths.userCreate],
    title: 'Create New User',
    permission: 'user.create',
    parent: paths.users,
    load: async () => (await import('../features/users/user-create-page.tsx')).UserCreatePage,
  },
  {
    paths: ['/dashboard/admin/user/edit/:id'],
    title: 'Edit User',
    permission: 'user.view',
    parent: paths.users,
    load: async () => (await import('./composed/user-edit-screen.tsx')).UserEditScreen,
  },
  {
    paths: [paths.access],
    title: 'Users Have API access',
    permission: 'api-permission.view',
    load: async () => (await import('../features/access/access-list-page.tsx')).AccessListPage,
    menu: { label: 'Users Have API access', icon: IconUserShield, group: 'Users' },
  },
  {
    paths: ['/dashboard/admin/api-permission/edit/:id'],
    title: 'Edit Role Access',
    permission: 'api-permission.view',
    parent: paths.access,
    load: async () => (await import('../features/access/access-edit-page.tsx')).AccessEditPage,
  },
  {
    paths: [paths.apis],
    title: 'Apis List',
    permission: 'api.view',
    load: async () => (await import('../features/apis/api-list-page.tsx')).ApiListPage,
    menu: { label: 'Domain', icon: IconWorld, group: 'Apis' },
  },
  {
    paths: [paths.apiCreate],
    title: 'Create API',
    permission: 'api.create',
    parent: paths.apis,
    load: async () => (await import('./composed/api-create-screen.tsx')).ApiCreateScreen,
  },
  {
    paths: [paths.configuration],
    title: 'Configuration',
    permission: 'api.view',
    parent: paths.apis,
    load: async () =>
      (await import('../features/configuration/configuration-page.tsx')).ConfigurationPage,
  },
  {
    paths: [paths.apiImport],
    title: 'Import APIs',
    permission: 'endpoint.create',
    parent: paths.apis,
    load: async () => (await import('../features/imports/import-page.tsx')).ImportPage,
  },
  {
    paths: ['/dashboard/admin/api/edit/:id'],
    title: 'Edit API',
    permission: 'api.edit',
    parent: paths.apis,
    load: async () => (await import('./composed/api-screen.tsx')).ApiSettingsScreen,
  },
  {
    paths: ['/dashboard/admin/apis/:id/:part?'],
    title: 'API',
    permission: 'api.view',
    parent: paths.apis,
    load: async () => (await import('./composed/api-screen.tsx')).ApiScreen,
  },
  {
    paths: [paths.endpoints],
    title: 'Endpoints',
    permission: 'endpoint.view',
    load: async () =>
      (await import('../features/endpoints/endpoint-list-page.tsx')).EndpointListPage,
    menu: { label: 'Endpoints', icon: IconRoute, group: 'Apis' },
  },
  {
    paths: [paths.endpointCreate],
    title: 'Create endpoint',
    permission: 'endpoint.create',
    parent: paths.endpoints,
    load: async () => (await import('./composed/endpoint-create-screen.tsx')).EndpointCreateScreen,
  },
  {
    paths: ['/dashboard/admin/endpoint/edit/:id'],
    title: 'Edit endpoint',
    permission: 'endpoint.edit',
    parent: paths.endpoints,
    load: async () => (await import('./composed/endpoint-edit-screen.tsx')).EndpointEditScreen,
  },
  {
    paths: ['/dashboard/admin/context'],
    title: 'Api Context',
    permission: 'context.view',
    load: async () => (await import('../features/contexts/context-page.tsx')).ContextPage,
    menu: { label: 'Api Context', icon: IconWorldCode, group: 'Apis' },
  },
  {
    paths: ['/dashboard/admin/build-request'],
    title: 'Build Request',
    permission: 'request.view',
    load: async () =>
      (await import('../features/build-request/build-request-page.tsx')).BuildRequestPage,
    menu: { label: 'Build Request', icon: IconArrowsExchange, group: 'Apis' },
  },
  {
    paths: [paths.consumerDocs],
    title: 'API docs',
    permission: 'session',
    load: async () =>
      (await import('../features/consumer-docs/consumer-docs-page.tsx')).ConsumerDocsPage,
    menu: { label: 'API docs', icon: IconBook2, group: 'Apis' },
  },
  {
    paths: [paths.tax],
    title: 'Tax workflow',
    permission: 'tax.view',
    load: async () => (await import('./composed/tax-screen.tsx')).TaxScreen,
    menu: { label: 'Workflow', icon: IconListCheck, group: 'Tax Integration' },
  },
  {
    paths: [paths.credit],
    title: 'Credit',
    permission: 'credit.view',
    load: async () => (await import('./composed/credit-screen.tsx')).CreditScreen,
    menu: { label: 'Credit', icon: IconReceiptRefund, group: 'Tax Integration' },
  },
  {
    paths: [paths.runs],
    title: 'History',
    permission: 'run.view',
    load: async () => (await import('../features/runs/run-list-page.tsx')).RunListPage,
    menu: { label: 'History', icon: IconTimeline, group: 'Tax Integration', mark: UnknownMark },
  },
  {
    paths: ['/dashboard/admin/runs/:id'],
    title: 'Run',
    permission: 'run.view',
    parent: paths.runs,
    load: async () => (await import('../features/runs/run-page.tsx')).RunPage,
  },
  {
    paths: [paths.documents],
    title: 'Documents',
    permission: 'run.view',
    load: async () =>
      (await import('../features/documents/document-list-page.tsx')).DocumentListPage,
    menu: { label: 'Documents', icon: IconFileInvoice, group: 'Tax Integration' },
  },
  {
    paths: ['/dashboard/admin/documents/:id'],
    title: 'Document',
    permission: 'run.view',
    parent: paths.documents,
    load: async () => (await import('../features/documents/document-page.tsx')).DocumentPage,
  },
  {
    paths: [paths.workflows],
    title: 'Workflows',
    permission: 'workflow.view',
    load: async () =>
      (await import('../features/workflows/workflow-list-page.tsx')).WorkflowListPage,
    menu: { label: 'Workflows', icon: IconSitemap, group: 'Tax Integration' },
  },
  {
    paths: [paths.workflowCreate],
    title: 'Create workflow',
    permission: 'workflow.create',
    parent: paths.workflows,
    load: async () =>
      (await import('../features/workflows/workflow-create-page.tsx')).WorkflowCreatePage,
  },
  {
    paths: ['/dashboard/admin/workflow/edit/:id'],
    title: 'Edit workflow',
    permission: 'workflow.edit',
    parent: paths.workflows,
    load: async () =>
      (await import('../features/workflows/workflow-edit-page.tsx')).WorkflowEditPage,
  },
  {
    paths: ['/dashboard/admin/workflows/:id'],
    title: 'Workflow',
    permission: 'workflow.view',
    parent: paths.workflows,
    load: async () => (await import('../features/workflows/workflow-page.tsx')).WorkflowPage,
  },
  {
    paths: ['/dashboard/admin/workflows/:id/batches/new'],
    title: 'Send a file',
    permission: 'workflow.run',
    parent: paths.workflows,
    load: async () =>
      (await import('../features/workflows/batches/batch-create-page.tsx')).BatchCreatePage,
  },
  {
    paths: ['/dashboard/admin/workflows/:id/batches/:batch'],
    title: 'Batch',
    permission: 'workflow.view',
    parent: paths.workflows,
    load: async () => (await import('../features/workflows/batches/batch-page.tsx')).BatchPage,
  },
  {
    paths: ['/dashboard/admin/workflows/:id/schedules/new'],
    title: 'New schedule',
    permission: 'workflow.edit',
    parent: paths.workflows,
    load: async () =>
      (await import('../features/workflows/schedules/schedule-create-page.tsx')).ScheduleCreatePage,
  },
  {
    paths: ['/dashboard/admin/schedule/edit/:id'],
    title: 'Edit schedule',
    permission: 'workflow.edit',
    parent: paths.workflows,
    load: async () =>
      (await import('../features/workflows/schedules/schedule-edit-page.tsx')).ScheduleEditPage,
  },
  {
    paths: ['/dashboard/admin/schedules/:id'],
    title: 'Schedule',
    permission: 'workflow.view',
    parent: paths.workflows,
    load: async () =>
      (await import('../features/workflows/schedules/schedule-page.tsx')).SchedulePage,
  },
  {
    paths: [paths.lanes],
    title: 'Lanes',
    permission: 'workflow.view',
    load: async () => (await import('../features/lanes/lane-list-page.tsx')).LaneListPage,
    menu: { label: 'Lanes', icon: IconTrafficLights, group: 'Tax Integration' },
  },
  {
    paths: [paths.reconciliations],
    title: 'Reconciliation',
    permission: 'reconciliation.view',
    load: async () =>
      (await import('../features/reconciliation/reconciliation-list-page.tsx'))
        .ReconciliationListPage,
    menu: { label: 'Reconciliation', icon: IconScale, group: 'Tax Integration' },
  },
  {
    paths: [paths.reconciliationCreate],
    title: 'New comparison',
    permission: 'reconciliation.edit',
    parent: paths.reconciliations,
    load: async () =>
      (await import('../features/reconciliation/reconciliation-create-page.tsx'))
        .ReconciliationCreatePage,
  },
  {
    paths: ['/dashboard/admin/reconciliation/edit/:id'],
    title: 'Edit comparison',
    permission: 'reconciliation.edit',
    parent: paths.reconciliations,
    load: async () =>
      (await import('../features/reconciliation/reconciliation-edit-page.tsx'))
        .ReconciliationEditPage,
  },
  {
    paths: ['/dashboard/admin/reconciliation/:id'],
    title: 'Comparison',
    permission: 'reconciliation.view',
    parent: paths.reconciliations,
    load: async () =>
      (await import('../features/reconciliation/reconciliation-page.tsx')).ReconciliationPage,
  },
  {
    paths: ['/dashboard/admin/reconciliation/:id/results/:result'],
    title: 'Result',
    permission: 'reconciliation.view',
    parent: paths.reconciliations,
    load: async () => (await import('../features/reconciliation/result-page.tsx')).ResultPage,
  },
  {
    paths: [paths.deliveries],
    title: 'Deliveries',
    permission: 'workflow.view',
    load: async () =>
      (await import('../features/deliveries/delivery-list-page.tsx')).DeliveryListPage,
    menu: { label: 'Deliveries', icon: IconSend, group: 'Tax Integration' },
  },
  {
    paths: ['/dashboard/admin/deliveries/:id'],
    title: 'Delivery',
    permission: 'workflow.view',
    parent: paths.deliveries,
    load: async () => (await import('../features/deliveries/delivery-page.tsx')).DeliveryPage,
  },
]
