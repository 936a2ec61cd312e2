/** The roles of people in the console: a viewer sees everything, a preparer also decides, a reviewer also approves and closes. */
export const WEB_ROLES = ['viewer', 'preparer', 'reviewer'] as const
export type WebRole = (typeof WEB_ROLES)[number]
