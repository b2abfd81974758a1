import type {} from '@tiding/elements/types/vue';
