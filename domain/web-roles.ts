/** The roles of people in the console: one looks, one decides and prepares, one also approves and closes. */
export const WEB_ROLES = ['viewer', 'preparer', 'reviewer'] as const
export type WebRole = (typeof WEB_ROLES)[number]
