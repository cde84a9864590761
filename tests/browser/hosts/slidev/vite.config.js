export default {
  slidev: {
    vue: {
      template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('attn-') } },
    },
  },
};
