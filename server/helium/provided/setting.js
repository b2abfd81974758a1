export function renderSetting(owner, targetEl) {
  const setting = owner.getSetting();
  if (!setting || !owner._createNewScope || !owner._compile) return;
  if (owner._scope) {
    owner._scope.$apply(() => Object.assign(owner._scope, setting.scope));
    return;
  }
  const scope = Object.assign(owner._createNewScope(), setting.scope);
  const draw = (template) => {
    owner._targetEl = targetEl;
    targetEl.html(template);
    owner._compile(targetEl.contents())(scope);
    owner._scope = scope;
  };
  const template = setting.template || '';
  if (!template.includes('\n') && template.endsWith('.html') && owner._templateRequest)
    owner._templateRequest(template).then(draw);
  else draw(template);
}
